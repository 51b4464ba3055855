/* The ratios of one chart, and their lines. */
#ifndef XB_RATIO_LINES_H
#define XB_RATIO_LINES_H

#include "page/model/labels.h"
#include "page/model/metric_lines.h"

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
