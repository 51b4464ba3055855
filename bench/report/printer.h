/* What a run prints on stdout: the table, or another format instead of it. */
#ifndef XB_PRINTER_H
#define XB_PRINTER_H

#include "report/results.h"

typedef enum xb_format { XB_FORMAT_TABLE, XB_FORMAT_CSV, XB_FORMAT_MARKDOWN, XB_FORMAT_GBENCH } xb_format;

typedef struct xb_gbench xb_gbench;

typedef struct xb_printer {
  xb_format format;
  bool comparison; /* pairs are shown rather than cells */
  xb_table table;
  xb_gbench *gbench;
} xb_printer;

/* False: out of host memory; then nothing will be printed. */
bool xb_printer_begin(xb_printer *printer, xb_format format, bool comparison);
/* Groups of another benchmark follow; `sweep`: with several sizes or element types. */
void xb_printer_benchmark(xb_printer *printer, bool sweep);
void xb_printer_group(xb_printer *printer, const xb_group *group);
void xb_printer_means(xb_printer *printer, const xb_means *means);
/* What is printed once all is known; frees. */
void xb_printer_end(xb_printer *printer);

/* ---- Parts of it ------------------------------------------------------------------------------------------------ */

/* The lines of a group, under a heading where the table has none yet. */
void xb_markdown_group(xb_table *table, const xb_group *group);
void xb_markdown_comparison(xb_table *table, const xb_group *group);

/* A document as google/benchmark prints it (--benchmark_format=json), for tools that read that. Yardsticks and what is
 * not here are left out. Each sample is a repetition: real_time is by the variant's clock, cpu_time is host time,
 * submit to complete. */
xb_gbench *xb_gbench_begin(void);
void xb_gbench_group(xb_gbench *gbench, const xb_group *group);
/* Prints the document, and frees it. */
void xb_gbench_end(xb_gbench *gbench, FILE *file);

#endif
