/* The lines of a chart: the first metric against size or an axis, a line for each variant and API. */
#ifndef XB_METRIC_LINES_H
#define XB_METRIC_LINES_H

#include "page/model/page_view.h"

enum { XB_LINES_MOST = 12 };

typedef struct xb_line {
  const char *variant;
  const xb_view_target *target;
} xb_line;

/* Cells [from, to) of the file. */
typedef struct xb_lines {
  const xb_view_file *file;
  size_t from, to;
  const xb_view_target *only; /* the lines of this target; then there are many, and bandwidth goes by factors */
  int axis;                   /* across: one of the cells' axes; -1: their size */
  const char *across;         /* its name */
  xb_line at[XB_LINES_MOST];
  size_t count, in_all;
  const xb_metric *metric; /* that is drawn */
  bool model;              /* predicts some of it */
  double least, most, low, gbps, peak, copy, cache, bytes_each;
} xb_lines;

/* Whether the cell is one of the chart's, and where across. Of several axes that vary, a chart shows one; the others
 * are where they are in the first cell. */
bool xb_line_has(const xb_lines *l, const xb_result *cell);
/* It is one of line k. */
bool xb_line_is(const xb_lines *l, size_t k, const xb_result *cell);
double xb_line_x(const xb_lines *l, const xb_result *cell);
/* What the model makes of the value at the axis' base; NAN. */
double xb_predicted(const xb_result *cell);
/* Those of cells [from, to): of one target, or of all where `only` is NULL. */
xb_lines xb_lines_find(const xb_view_file *file, size_t from, size_t to, const xb_view_target *only, int axis);

#endif
