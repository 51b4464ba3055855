/* The ratios of one chart, and the lines that they make. */
#ifndef XB_RATIO_LINES_H
#define XB_RATIO_LINES_H

#include "page/model/labels.h"
#include "page/model/metric_lines.h"

typedef struct xb_ratio_set {
  const xb_comparison **at;
  size_t count;
  const xb_comparison *lines[XB_LINES_MOST]; /* the first of each line */
  size_t line_count, lines_in_all;
  bool sizes, dtypes, variants; /* several of them */
  double least, most, low, high, margin;
} xb_ratio_set;

/* Of the same two sides: one line. */
bool xb_same_line(const xb_comparison *a, const xb_comparison *b);
/* Fills in what follows from the ratios: lines, and least and most of each. */
void xb_ratio_lines_find(xb_ratio_set *s);
/* Of those that `all` has: the ones of the largest size, or of one variant. */
void xb_ratio_set_take(xb_ratio_set *part, const xb_ratio_set *all, const char *variant);
/* The interval where it can be drawn, else a point. */
xb_interval xb_drawn_interval(double ratio, xb_interval interval);
void xb_ratio_name(const xb_view_file *file, const xb_comparison *r, char out[XB_NAME]);

#endif
