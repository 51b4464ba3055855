/* For bandwidth.c and bandwidth_draw.c alone. */
#ifndef XB_HTML_BANDWIDTH_H
#define XB_HTML_BANDWIDTH_H

#include "report/html/series.h"

typedef struct xb_line {
  const char *variant;
  const xb_view_target *target;
} xb_line;

typedef struct xb_lines {
  xb_line at[XB_SERIES_MOST];
  size_t count, in_all;
  const xb_view_target *only; /* the lines of this target; then there are many, and bandwidth goes by factors */
  const xb_metric *metric;    /* that is drawn */
  double least, most, low, gbps, peak, copy, cache, bytes_each;
} xb_lines;

/* Cells [from, to) of the file. */
void xb_bandwidth_draw(xb_figure *figure, const xb_lines *l, const xb_view_file *file, size_t from, size_t to);

#endif
