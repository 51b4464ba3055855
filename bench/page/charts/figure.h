/* A chart on the page, with its title, legend, description and table. */
#ifndef XB_FIGURE_H
#define XB_FIGURE_H

#include "os/memory_file.h"
#include "page/charts/chart.h"
#include "page/model/data_table.h"
#include "page/model/labels.h"
#include "page/page.h"

typedef struct xb_figure {
  char title[256], takeaway[512], source[256]; /* `takeaway`: the main result; `source`: the file */
  xb_memory legend;                            /* HTML; grown by xb_figure_legend */
  xb_chart chart;
  xb_data_table table; /* the numbers of the chart */
} xb_figure;

/* Begins a figure, and its chart as xb_chart_begin does. `height` 0: the caller begins the chart. False: the page has
 * failed. */
bool xb_figure_begin(xb_page *page, xb_figure *figure, int height, double left, double right, double top,
                     double bottom);
typedef enum xb_mark { XB_MARK_BAR, XB_MARK_POINT, XB_MARK_LINE, XB_MARK_DASHES, XB_MARK_AREA } xb_mark;
/* `shape` selects a point's shape or a bar's hatching, modulo their number. For dashes, 1: in the slot's colour. */
void xb_figure_legend(xb_figure *figure, xb_mark mark, int slot, int shape, const char *text);
/* Adds a limit to the legend if `value` is known: "measured copy, up to 4122 GB/s". `shown`: it is inside the chart. */
void xb_figure_roof(xb_figure *figure, double value, bool shown, const char *what, xb_mark mark);
/* gnuplot's point type for a shape, and its fill style for a slot. */
int xb_point_type(int shape);
const char *xb_fill(int slot);
/* Draws the chart, writes the figure and frees it. The description for screen readers is the takeaway and the table. */
void xb_figure_end(xb_page *page, xb_figure *figure);

#endif
