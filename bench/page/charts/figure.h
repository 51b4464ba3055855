/* A chart on the page, with its title, legend, text alternative and table. */
#ifndef XB_FIGURE_H
#define XB_FIGURE_H

#include "page/charts/chart.h"
#include "page/model/data_table.h"
#include "page/model/labels.h"
#include "page/page.h"

typedef struct xb_figure {
  char title[256], takeaway[512], source[256]; /* what it shows; what can be read off it; where it comes from */
  char details[1400];                          /* for xb_figure_end() */
  char *legend;                                /* HTML; grown by xb_figure_legend */
  size_t legend_bytes;
  FILE *legend_file;
  xb_chart chart;
  xb_data_table table; /* what is drawn, as figures */
} xb_figure;

/* False: out of host memory; page->code has been set. The chart is begun by the caller. */
bool xb_figure_begin(xb_page *page, xb_figure *figure);
typedef enum xb_mark { XB_MARK_BAR, XB_MARK_POINT, XB_MARK_LINE, XB_MARK_DASHES, XB_MARK_AREA } xb_mark;
/* `shape` is of a point, or the hatching of a bar; both go round. Of dashes: 1 has them in the slot's colour. */
void xb_figure_legend(xb_figure *figure, xb_mark mark, int slot, int shape, const char *text);
/* "measured copy, up to 4122 GB/s", where `value` is known. */
void xb_figure_roof(xb_figure *figure, double value, bool shown, const char *what, xb_mark mark);
/* gnuplot's number of a shape, and its words for a filling. */
int xb_point_type(int shape);
const char *xb_fill(int slot);
/* Draws, writes, frees. What is described to those who do not see it: takeaway, then `details`. */
void xb_figure_end(xb_page *page, xb_figure *figure, const char *details);

#endif
