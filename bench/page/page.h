/* The HTML page of `xbench report`. */
#ifndef XB_PAGE_H
#define XB_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "diff/diff.h"
#include "os/memory_file.h"
#include "page/model/view.h"
#include "xb/error.h"

/* ---- Searches of `xbench tune`, from their cache files ---------------------------------------------------------- */

enum { XB_MOST_TUNINGS = 32, XB_TUNING_TEXT = 96 };

typedef struct xb_tuning {
  const char *name, *device;                                                   /* of its file */
  char kernel[XB_TUNING_TEXT], backend[XB_TUNING_TEXT], dtype[XB_TUNING_TEXT]; /* "reduce/7_many_elements" */
  json_t *root;
} xb_tuning;

/* True for the name of a cache file: NAME.cache.json. */
bool xb_is_tuning(const char *path);
/* The caller frees it. */
xb_code xb_tuning_load(const char *path, xb_tuning *tuning, xb_error *err);
void xb_tuning_free(xb_tuning *tuning);

/* ---- The page --------------------------------------------------------------------------------------------------- */

enum { XB_PAGE_MOST_CHARTS = 300 };

typedef struct xb_page_slot xb_page_slot;

typedef struct xb_page {
  FILE *out;           /* in memory */
  const xb_view *view; /* NULL: a page of `xbench isa` */
  const xb_diff *diff; /* from the first file to the second one; may be NULL */
  const xb_tuning *tunings;
  size_t tuning_count;
  xb_page_slot *slots;
  size_t slot_count;
  int charts; /* number of charts so far */
  int code;   /* -1 on success; else the exit code of the first error, which has been reported */
} xb_page;

/* Reports an error of a page that has none yet. */
void xb_page_out_of_memory(xb_page *page);
/* Writes the page to `out`. Returns -1 on success; otherwise reports the error and returns the exit code. */
int xb_page_write(FILE *out, const xb_view *view, const xb_diff *diff, const xb_tuning *tunings, size_t tuning_count);

/* The same for rows of `xbench isa`; `source` names their files. (isa_page.c) */
int xb_isa_page_write(FILE *out, const json_t *rows, const char *source);

/* ---- The template, page.html ------------------------------------------------------------------------------------ */

/* Writes what stands for "{{name}}". A section of the template whose first slot writes nothing is left out. */
struct xb_page_slot {
  const char *name;
  void (*write)(xb_page *page);
  xb_memory written; /* so far */
};

/* Writes the template to the page, as long as that has not failed. The slots write in the order of the list. */
void xb_template_write(xb_page *page, xb_page_slot *slots, size_t count);
/* Slots of every page: the style sheet of sources, the program's name and, the last one, the table of contents. */
void xb_page_style(xb_page *page);
void xb_page_program(xb_page *page);
void xb_page_contents(xb_page *page);

#endif
