/* The charts of a page. */
#ifndef XB_CHARTS_H
#define XB_CHARTS_H

#include "page/charts/figure.h"
#include "page/model/metric_lines.h"
#include "page/model/ratio_lines.h"
#include "page/model/scale.h"

/* Charts of cells [from, to) of a file, of one benchmark and element type; for xb_ladder(), also of one size. */
void xb_ladder(xb_page *page, const xb_view_file *file, size_t from, size_t to);
void xb_bandwidth(xb_page *page, const xb_view_file *file, size_t from, size_t to);
/* For cells that vary along an axis: one chart per size or, with many sizes, one of the largest. */
void xb_axes(xb_page *page, const xb_view_file *file, size_t from, size_t to);
void xb_times(xb_page *page, const xb_view_file *file, size_t from, size_t to);
/* Nothing, if no cache file is named. */
void xb_tuning_charts(xb_page *page);
/* For cells that ran on several queues: what each queue did, and when. */
void xb_timelines(xb_page *page, const xb_view_file *file, size_t from, size_t to);
/* Charts of a file's ratios for one benchmark, and of the means of all files. */
void xb_ratios(xb_page *page, const xb_view_file *file, const char *benchmark);
void xb_page_means(xb_page *page);
/* A roofline of each device that has cells with operations. */
void xb_page_rooflines(xb_page *page);
/* Charts of cells that several files have with several group sizes. */
void xb_page_group_sizes(xb_page *page);

/* ---- Parts of them ---------------------------------------------------------------------------------------------- */

void xb_bandwidth_draw(xb_figure *figure, const xb_lines *l);
/* The right edge of the axes, with room for the labels of the lines. */
double xb_right_of_lines(const xb_lines *l);
/* Labels the lines at their right ends: with their names or, if there are many, with the numbers of their variants.
 * `top`: the upper end of the y axis. */
void xb_label_lines(xb_figure *figure, const xb_lines *l, double top);
/* As lines by size, or as a forest plot. */
void xb_ratios_draw_lines(xb_figure *figure, const xb_ratio_set *s, const xb_view_file *file);
void xb_ratios_draw_forest(xb_figure *figure, const xb_ratio_set *s, const xb_view_file *file);

#endif
