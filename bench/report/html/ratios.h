/* For ratios.c and ratios_draw.c alone. */
#ifndef XB_HTML_RATIOS_H
#define XB_HTML_RATIOS_H

#include "report/html/axes.h"
#include "report/html/forest.h"

/* The ratios of one chart. */
typedef struct xb_ratio_set {
  const xb_comparison **at;
  size_t count;
  const xb_comparison *lines[XB_SERIES_MOST]; /* the first of each line */
  size_t line_count, lines_in_all;
  bool sizes, dtypes, variants; /* several of them */
  double least, most, low, high, margin;
} xb_ratio_set;

/* Of the same two sides: one line. */
bool xb_same_line(const xb_comparison *a, const xb_comparison *b);
/* Against size, or one below the other. */
void xb_ratios_draw_lines(xb_figure *figure, const xb_ratio_set *s, const xb_view_file *file);
void xb_ratios_draw_forest(xb_figure *figure, const xb_ratio_set *s, const xb_view_file *file);

#endif
