/* The charts of a report. */
#ifndef XB_CHARTS_H
#define XB_CHARTS_H

#include "base/arena.h"
#include "os/memory_file.h"
#include "report/charts/chart.h"
#include "report/model/view.h"
#include "report/report.h"

/* Charts of cells [from, to) of a file, of one benchmark and element type; for xb_ladder(), also of one size. */
void xb_ladder(xb_report *report, const xb_view_file *file, size_t from, size_t to);
void xb_bandwidth(xb_report *report, const xb_view_file *file, size_t from, size_t to);
/* For cells that vary along an axis: one chart per size or, with many sizes, one of the largest. */
void xb_axes(xb_report *report, const xb_view_file *file, size_t from, size_t to);
/* Strips of the samples of each cell that has several, one chart per size. */
bool xb_has_samples(const xb_result *cell);
void xb_samples(xb_report *report, const xb_view_file *file, size_t from, size_t to);
/* Nothing, if no cache file is named. */
void xb_tuning_charts(xb_report *report);
/* For cells that ran on several queues: what each queue did, and when. */
void xb_timelines(xb_report *report, const xb_view_file *file, size_t from, size_t to);
/* Charts of a file's ratios for one benchmark, and of the means of all files. */
void xb_ratios(xb_report *report, const xb_view_file *file, const char *benchmark);
void xb_report_means(xb_report *report);
/* A roofline of each device that has cells with operations. */
void xb_report_rooflines(xb_report *report);
/* Charts of cells that several files have with several group sizes. */
void xb_report_group_sizes(xb_report *report);

/* ---- Forest plots ----------------------------------------------------------------------------------------------- */

enum { XB_FOREST_MOST = 60 };

typedef struct xb_forest_row {
  char name[XB_LONG_NAME];
  double ratio; /* NAN: a heading for the rows below it (only with `above`) */
  xb_interval interval;
  int slot;
  xb_interval range; /* of the ratio at other sizes; drawn if it is wider than 0 */
  char below[XB_NAME];
} xb_forest_row;

/* `above`: names are long, so they are above their rows. The axis has room for `range` and for all rows. */
void xb_forest_draw(xb_chart *chart, const xb_forest_row *rows, size_t count, xb_interval range, double margin,
                    bool above);
/* The interval if it can be drawn; else only the ratio, as both ends. */
xb_interval xb_drawn_interval(double ratio, xb_interval interval);
/* Draws the line at 1 and the band of the margin. `axis` is the ratios' axis, 'x' or 'y'. */
void xb_margin_band(xb_chart *chart, char axis, double margin);

/* A chart on the report, with its title, legend, description and table. */

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
