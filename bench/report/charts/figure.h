/* A chart on the report, with its title, legend, description and table. */
#ifndef XB_FIGURE_H
#define XB_FIGURE_H

#include "base/arena.h"
#include "os/memory_file.h"
#include "report/charts/chart.h"
#include "report/model/labels.h"
#include "report/report.h"

enum { XB_FIGURE_COLUMNS = 24 };

typedef struct xb_figure_cell {
  const char *text; /* NULL if unknown */
  double value;     /* NAN: unknown, or no number */
} xb_figure_cell;

typedef struct xb_figure {
  char title[256], takeaway[512], source[256]; /* `takeaway`: the main result; `source`: the file */
  xb_memory legend;                            /* HTML; grown by xb_figure_legend */
  xb_chart chart;
  /* The table: the numbers of the chart. */
  const char *kinds, *heads[XB_FIGURE_COLUMNS]; /* not copied */
  xb_figure_cell *cells;                        /* row after row */
  size_t cell_count, capacity;
  xb_arena texts;
  bool out_of_memory;
} xb_figure;

/* Begins a figure and its chart. False: the report has failed. */
bool xb_figure_begin(xb_report *report, xb_figure *figure);
typedef enum xb_legend_mark { XB_MARK_BAR, XB_MARK_POINT, XB_MARK_LINE, XB_MARK_DASHES, XB_MARK_AREA } xb_legend_mark;
/* `shape` selects a point's shape or a bar's hatching, modulo their number. For dashes, 1: in the slot's colour. */
void xb_figure_legend(xb_figure *figure, xb_legend_mark mark, int slot, int shape, const char *text);
/* Adds a limit to the legend if `value` is known: "measured copy, up to 4122 GB/s". `shown`: it is inside the chart. */
void xb_figure_roof(xb_figure *figure, double value, bool shown, const char *what, xb_legend_mark mark);
/* Begins the table. `kinds` has a letter for each column: t is text, n a number with four significant digits, a digit a
 * number with so many decimal places. The columns' heads, with units, follow. */
void xb_figure_table(xb_figure *figure, const char *kinds, ...);
/* Adds a row: for each column a `const char *`, NULL if unknown, or a double, not finite if unknown. */
void xb_figure_row(xb_figure *figure, ...);
/* Writes the figure and frees it. The description for screen readers is the takeaway and, of each row of the table, the
 * texts in front of its first number, and that. */
void xb_figure_end(xb_report *report, xb_figure *figure);

#endif
