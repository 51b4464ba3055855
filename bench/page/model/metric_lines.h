/* The lines of a chart: the first metric by size or by an axis, one line per variant and API. */
#ifndef XB_METRIC_LINES_H
#define XB_METRIC_LINES_H

#include "page/model/scale.h"

enum { XB_LINES_MOST = 12 };

typedef struct xb_line {
  const char *variant;
  const xb_view_target *target;
} xb_line;

/* The lines of cells [from, to) of the file. */
typedef struct xb_lines {
  const xb_view_file *file;
  size_t from, to;
  const xb_view_target *only; /* only this target's lines: many, so bandwidth is logarithmic; NULL: all targets */
  int axis;                   /* the x axis: an axis of the cells; -1: their size */
  const char *across;         /* name of the x axis */
  xb_line at[XB_LINES_MOST];
  size_t count, in_all;
  const xb_metric *metric; /* the one that is drawn */
  const xb_result *like;   /* a cell that has it */
  bool model;              /* a model predicts some of the values */
  xb_scale scale;          /* that of all files */
  double least, most, peak, copy, cache, bytes_each;
} xb_lines;

/* True if the chart shows the cell; xb_line_x() is its x value. If several axes vary, a chart shows one of them; the
 * others have their values of the first cell. */
bool xb_line_has(const xb_lines *l, const xb_result *cell);
/* True if the cell belongs to line k. */
bool xb_line_is(const xb_lines *l, size_t k, const xb_result *cell);
double xb_line_x(const xb_lines *l, const xb_result *cell);
/* A colour for line k: its API's or, if all lines have the same API, its own. */
int xb_line_slot(const xb_lines *l, size_t k);
/* Finds the lines of cells [from, to), of one target or, if `only` is NULL, of all targets; all but the scale. */
xb_lines xb_lines_find(const xb_view_file *file, size_t from, size_t to, const xb_view_target *only, int axis);

#endif
