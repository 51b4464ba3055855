/* What a run prints on stdout: the table, or another format instead of it. */
#ifndef XB_PRINTER_H
#define XB_PRINTER_H

#include "formats/formats.h"

typedef enum xb_format { XB_FORMAT_TABLE, XB_FORMAT_CSV, XB_FORMAT_MARKDOWN, XB_FORMAT_GBENCH } xb_format;

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

#endif
