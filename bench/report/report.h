/* The HTML report of `xbench report`. */
#ifndef XB_REPORT_H
#define XB_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "diff/diff.h"
#include "os/memory_file.h"
#include "report/model/view.h"
#include "table/table.h"
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

/* ---- The report -------------------------------------------------------------------------------------------------- */

enum { XB_REPORT_MOST_CHARTS = 300 };

typedef struct xb_report_slot xb_report_slot;

typedef struct xb_report {
  FILE *out;           /* in memory */
  const xb_view *view; /* NULL: a report of `xbench isa` */
  const xb_diff *diff; /* from the first file to the second one; may be NULL */
  const xb_tuning *tunings;
  size_t tuning_count;
  xb_report_slot *slots;
  size_t slot_count;
  int charts; /* number of charts so far */
  int code;   /* -1 on success; else the exit code of the first error, which has been reported */
} xb_report;

/* Reports an error of a report that has none yet. */
void xb_report_out_of_memory(xb_report *report);
/* Writes the report to `out`. Returns -1 on success; otherwise reports the error and returns the exit code. */
int xb_report_write(FILE *out, const xb_view *view, const xb_diff *diff, const xb_tuning *tunings, size_t tuning_count);

/* The same for rows of `xbench isa`; `source` names their files. (isa_report.c) */
int xb_isa_report_write(FILE *out, const json_t *rows, const char *source);

/* ---- The template, report.html ----------------------------------------------------------------------------------- */

/* Writes what stands for "{{name}}". A section of the template whose first slot writes nothing is left out. */
struct xb_report_slot {
  const char *name;
  void (*write)(xb_report *report);
  xb_memory written; /* so far */
};

/* Writes the template to the report, as long as that has not failed. The slots write in the order of the list. */
void xb_template_write(xb_report *report, xb_report_slot *slots, size_t count);
/* Slots of every report: the style sheet of sources, the program's name and, the last one, the table of contents. */
void xb_report_style(xb_report *report);
void xb_report_program(xb_report *report);
void xb_report_contents(xb_report *report);

/* The sections of a report, and their common functions. */

/* What report.c puts between a section's heading and its end; nothing if there is nothing to show. */
void xb_report_changes(xb_report *report);        /* of a report with a diff */
void xb_report_summary(xb_report *report);        /* cards, means */
size_t xb_report_failed(const xb_report *report); /* cells that lack a time */
void xb_report_all_failed(xb_report *report);
void xb_report_peaks(xb_report *report);
void xb_report_advice(xb_report *report);
void xb_report_benchmark(xb_report *report, const char *benchmark, size_t number);
void xb_report_gpus(xb_report *report);
void xb_report_devices(xb_report *report);
void xb_report_cells(xb_report *report); /* all cells, file by file */
void xb_report_files(xb_report *report);

void xb_report_sources(xb_report *report); /* the sources of each variant in the files */
/* `text`, as a link to the sources of the cell's variant if there are any. */
void xb_source_link(FILE *out, const xb_result *cell, const char *text);
/* "cell-f1-reduce-9-cuda-graph-float32-4194304"; always the same for the same files. */
void xb_cell_anchor(const xb_view_file *file, const xb_result *cell, size_t file_number, char out[XB_NAME]);

#endif
