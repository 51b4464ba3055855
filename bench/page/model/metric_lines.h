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
  /* Set by the caller. */
  const xb_view_file *file;
  size_t from, to;
  const xb_view_target *only; /* only this target's lines: many, so the values are logarithmic; NULL: all targets */
  const char *variant;        /* only this variant's lines; NULL: all variants */
  int axis;                   /* the x axis: an axis of the cells; -1: their size */
  const xb_result *like;      /* all cells have its places on the other axes */
  bool axes_vary;             /* other charts have other places */

  const char *across; /* name of the x axis */
  xb_line at[XB_LINES_MOST];
  size_t count, in_all;
  const xb_metric *metric; /* the one that is drawn */
  const xb_result *drawn;  /* a cell that has it */
  bool model;              /* a model predicts some of the values */
  bool mixed;              /* there are several metrics */
  xb_scale scale;          /* that of all files */
  double least, most, peak, copy, cache, bytes_each;
} xb_lines;

/* True if the chart shows the cell; xb_line_x() is its x value. */
bool xb_line_has(const xb_lines *l, const xb_result *cell);
/* True if the cell belongs to line k. */
bool xb_line_is(const xb_lines *l, size_t k, const xb_result *cell);
double xb_line_x(const xb_lines *l, const xb_result *cell);
/* A colour for line k: its API's or, if all lines have the same API, its own. */
int xb_line_slot(const xb_lines *l, size_t k);
/* Finds the lines; all but the scale. */
void xb_lines_find(xb_lines *l);

#endif
