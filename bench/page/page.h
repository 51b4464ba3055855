/* The HTML page of `xbench report`. */
#ifndef XB_PAGE_H
#define XB_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "diff/diff.h"
#include "page/model/gpu_ratios.h"
#include "page/model/tuning.h"

enum { XB_PAGE_MOST_CHARTS = 300 };

typedef struct xb_page {
  FILE *out; /* in memory */
  const xb_view *view;
  const xb_diff *diff; /* from the first file to the second one; may be NULL */
  const xb_tuning *tunings;
  size_t tuning_count;
  xb_gpu_ratios gpus;
  int charts; /* number of charts so far */
  int code;   /* -1 on success; else the exit code of the first error, which has been reported */
} xb_page;

/* Reports an error of a page that has none yet. */
void xb_page_out_of_memory(xb_page *page);
/* Writes the page to `out`. Returns -1 on success; otherwise reports the error and returns the exit code. */
int xb_page_write(FILE *out, const xb_view *view, const xb_diff *diff, const xb_tuning *tunings, size_t tuning_count);

/* The same for rows of `xbench isa`; `source` names their files. (isa_page.c) */
int xb_isa_page_write(FILE *out, const json_t *rows, const char *source);

#endif
