/* The charts of a report. */
#ifndef XB_CHARTS_H
#define XB_CHARTS_H

#include "report/charts/figure.h"
#include "report/model/view.h"

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

#endif
