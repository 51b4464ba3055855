/* The output of a run on stdout: the table, or another format. */
#ifndef XB_PRINTER_H
#define XB_PRINTER_H

#include "formats/formats.h"

typedef enum xb_format { XB_FORMAT_TABLE, XB_FORMAT_CSV, XB_FORMAT_MARKDOWN, XB_FORMAT_GBENCH } xb_format;

/* XB_IN_* of the sheet's writer. */
unsigned xb_format_writer(xb_format format);

typedef struct xb_printer {
  xb_format format;
  bool comparison; /* shows pairs instead of cells */
  bool published;  /* shows what others published for other hardware; may be set after xb_printer_begin */
  xb_table table;
  xb_gbench *gbench;
} xb_printer;

void xb_printer_begin(xb_printer *printer, xb_format format, bool comparison);
/* Begins a benchmark. `sweep`: it has several sizes or element types. */
void xb_printer_benchmark(xb_printer *printer, bool sweep);
void xb_printer_group(xb_printer *printer, const xb_group *group);
void xb_printer_means(xb_printer *printer, const xb_means *means);
/* Prints the end of the output and frees the printer. Returns false if out of host memory: the output is not complete.
 */
bool xb_printer_end(xb_printer *printer);

#endif
