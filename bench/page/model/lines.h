/* What line charts show. */
#ifndef XB_LINES_H
#define XB_LINES_H

#include "page/model/labels.h"
#include "page/model/view.h"

/* ---- Scales of charts that are to be compared: the same in all files --------------------------------------------- */

typedef struct xb_scale {
  double least, most; /* at the x axis: an axis of the cells or, if it is -1, their size */
  double low, high;   /* values of the first metric, and what the model predicts along an axis */
  double top;         /* `high` or the highest limit (copy, peak) that is not far above it */
  double shortest_ns, longest_ns;
} xb_scale;

/* The range over the cells of all files for which same(like, cell) is true and that have the same metric. A limit is
 * far above the values if these are less than the part `beyond` of it. */
xb_scale xb_scale_find(const xb_view *view, const xb_result *like, bool (*same)(const xb_result *a, const xb_result *b),
                       int axis, double beyond);
/* The model's prediction from the value at the axis' base; NAN if unknown. */
double xb_predicted(const xb_result *cell);

/* ---- Lines of the first metric by size or by an axis: one per variant and API ------------------------------------ */

enum { XB_LINES_MOST = 12 };

typedef struct xb_metric_line {
  const char *variant;
  const xb_view_target *target;
} xb_metric_line;

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
  xb_metric_line at[XB_LINES_MOST];
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

/* ---- The ratios of one chart, and their lines -------------------------------------------------------------------- */

typedef struct xb_ratio_set {
  const xb_comparison **at;
  size_t count;
  const xb_comparison *lines[XB_LINES_MOST]; /* the first of each line */
  size_t line_count, lines_in_all;
  bool sizes, dtypes, variants;          /* true if there are several */
  double least, most, low, high, margin; /* of sizes, and of ratios with their intervals */
} xb_ratio_set;

/* True if both have the same two sides, so that they belong to one line. */
bool xb_same_line(const xb_comparison *a, const xb_comparison *b);
/* Computes the lines and the ranges from the ratios. */
void xb_ratio_lines_find(xb_ratio_set *s);
/* Widens the ranges to those of all files, so that charts can be compared: over all sizes if the set has several. */
void xb_ratio_ranges_widen(xb_ratio_set *s, const xb_view *view);
/* Selects from `all` the ratios of one variant or, if `variant` is NULL, of the largest size. */
void xb_ratio_set_take(xb_ratio_set *part, const xb_ratio_set *all, const char *variant);
/* The interval if it can be drawn; else only the ratio, as both ends. */
xb_interval xb_drawn_interval(double ratio, xb_interval interval);
/* A colour for line k: that of its subject's API or, if all have the same one, its own. */
int xb_ratio_slot(const xb_ratio_set *s, const xb_view_file *file, size_t k);
/* Returns `out`. */
const char *xb_ratio_name(const xb_view_file *file, const xb_comparison *r, char out[XB_NAME]);

#endif
