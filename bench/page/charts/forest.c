/* Forest plots: one row per ratio, with its interval. One of them shows which API or variant is faster: the ratio of
 * each benchmark's best cell. A geometric mean is shown only where all of its ratios are of one variant, in several
 * sizes or places: cells of different variants have nothing in common. */
#include "page/charts/charts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { ROW = 24, ROW_WITH_NAME = 40, NAME_CHARACTERS = 23, LONG_NAME_CHARACTERS = 62 };

/* ---- The plot --------------------------------------------------------------------------------------------------- */

xb_interval xb_drawn_interval(double ratio, xb_interval interval)
{
  const bool good = isfinite(interval.low) && isfinite(interval.high) && interval.low > 0 && interval.low <= ratio &&
                    interval.high >= ratio;
  return good ? interval : (xb_interval){ratio, ratio};
}

void xb_margin_band(xb_chart *chart, char axis, double margin)
{
  if (margin > 0 && margin < 100)
    xb_draw_band(chart, axis, 1 / (1 + margin), 1 + margin);
  xb_draw_across(chart, axis, 1, (xb_pen){XB_COLOUR_PEAK, 1.5, false});
}

/* With names above the rows each has a line of its own: a vertical grid would cross the names. */
static void draw_row(xb_chart *chart, const xb_forest_row *row, double y, bool above)
{
  const bool heading = isnan(row->ratio);
  const xb_pen pen = {XB_COLOUR_SERIES + row->slot, 2, false};
  const double middle = y + (above ? 0.12 : 0);
  char text[XB_NAME];
  if (above)
    xb_draw_text(chart, chart->x.low, y + (heading ? 0.2 : -0.32),
                 (xb_text){.colour = heading ? XB_COLOUR_MUTED : XB_COLOUR_INK,
                           .size = 12,
                           .right = -8,
                           .characters = LONG_NAME_CHARACTERS},
                 row->name);
  else
    xb_chart_mark(chart, 'y', y, row->name, NAME_CHARACTERS, false);
  if (heading)
    return;
  if (above) {
    xb_draw_across(chart, 'y', middle, (xb_pen){XB_COLOUR_GRID, 1, false});
    xb_draw_line(chart, (xb_pen){XB_COLOUR_PEAK, 1.5, false}, 1, y - 0.1, 1, y + 0.34);
  }
  xb_draw_interval(chart, 'x', xb_drawn_interval(row->ratio, row->interval), middle, pen);
  xb_draw_point(chart, pen.colour, row->slot, row->ratio, middle);
  xb_draw_text(chart, chart->x.high, middle, (xb_text){.right = 6}, xb_name_ratio(row->ratio, row->interval, text));
}

void xb_forest_draw(xb_chart *chart, const xb_forest_row *rows, size_t count, xb_interval range, double margin,
                    bool above)
{
  for (size_t i = 0; i < count; i++) {
    const xb_interval ends = xb_drawn_interval(rows[i].ratio, rows[i].interval);
    range.low = fmin(range.low, ends.low);
    range.high = fmax(range.high, ends.high);
  }
  const double pad = fmax(pow(range.high / range.low, 0.02), 1.005);
  range = (xb_interval){range.low / pad, range.high * pad};
  xb_chart_size(chart, (int)count * (above ? ROW_WITH_NAME : ROW) + 68, above ? 13 : 172, above ? 130 : 126, 10, 56);
  xb_row_axis(chart, count);
  xb_factor_axis(chart, 'x', &range, !above);
  if (!above)
    xb_margin_band(chart, 'x', margin);
  xb_chart_titles(chart, "ratio of times, below 1 is faster", NULL);
  for (size_t i = 0; i < count; i++)
    draw_row(chart, &rows[i], (double)i, above);
}

/* ---- Which is faster -------------------------------------------------------------------------------------------- */

/* Short, because there is little room: "1024\u00b2" for a square matrix. */
static const char *name_range_end(const xb_result *cell, char out[XB_NAME])
{
  if (!cell->work.rows || cell->work.rows != cell->work.columns || cell->work.inner)
    return xb_name_size(cell, out);
  snprintf(out, XB_NAME, "%" PRIu64 "\u00b2", cell->work.rows);
  return out;
}

/* "reduce: Vulkan / CUDA graph". */
static void name_question(const xb_view_mean *mean, char out[XB_LONG_NAME])
{
  char sides[XB_NAME];
  snprintf(out, XB_LONG_NAME, "%s: %s", mean->of->benchmark,
           xb_name_sides(mean->subject, mean->subject_variant, mean->base, mean->base_variant, sides));
}

/* Appends the sizes, because means may differ only in these: ", 2^16 to 2^30". */
static void append_sizes(const xb_view_mean *mean, char out[XB_LONG_NAME])
{
  char from[XB_NAME], to[XB_NAME];
  const xb_view_file *file = mean->subject->file;
  const xb_result *least = NULL, *most = NULL;
  for (size_t i = 0; i < file->ratio_count; i++) {
    const xb_comparison *r = &file->ratios[i];
    if (!r->verdict || !xb_ratio_of_mean(r, mean))
      continue;
    least = !least || r->subject->work.size < least->work.size ? r->subject : least;
    most = !most || r->subject->work.size > most->work.size ? r->subject : most;
  }
  if (!least || !most)
    return;
  name_range_end(least, from);
  name_range_end(most, to);
  xb_append(out, XB_LONG_NAME, strcmp(from, to) != 0 ? ", %s to %s" : ", %s", from, to);
  if (xb_same_text(least->conditions.loop, "kernel"))
    xb_append(out, XB_LONG_NAME, " (in the kernel)");
}

/* Of the mean's ratios, that of the best subject among the largest cells; NULL: there is none. */
static const xb_comparison *best_ratio(const xb_view_mean *mean)
{
  const xb_view_file *file = mean->subject->file;
  const xb_comparison *best = NULL;
  for (size_t i = 0; i < file->ratio_count; i++) {
    const xb_comparison *r = &file->ratios[i];
    if (!r->verdict || !xb_ratio_of_mean(r, mean) || (best && r->subject->work.size < best->subject->work.size))
      continue;
    if (!best || r->subject->work.size > best->subject->work.size || xb_is_better(r->subject, best->subject))
      best = r;
  }
  return best;
}

/* What is shown of a mean: itself, or a ratio in its place. Appends to `where` of what it is. */
static xb_mean shown(const xb_view_mean *mean, char name[XB_LONG_NAME], char where[XB_LONG_NAME])
{
  char sides[XB_NAME], size[XB_NAME], at[XB_AT_TEXT];
  xb_mean m = *mean->of;
  const xb_comparison *best = mean->subject_variant && mean->base_variant ? NULL : best_ratio(mean);
  if (!best) {
    name_question(mean, name);
    append_sizes(mean, name);
    append_sizes(mean, where);
    return m;
  }
  xb_name_sides(mean->subject, best->subject->variant, mean->base, best->base->variant, sides);
  name_range_end(best->subject, size);
  *name = 0;
  xb_append(name, XB_LONG_NAME, "%s, at best: %s, %s%s%s", mean->of->benchmark, sides, size,
            best->subject->at.count ? ", " : "", xb_result_at(best->subject, at));
  xb_append(where, XB_LONG_NAME, ", %s, %s", xb_name_variant(best->subject->variant, sides), size);
  m.ratio = best->ratio;
  m.ci95_ratio = best->ci95_ratio;
  m.verdict = best->verdict;
  m.margin = best->margin;
  m.compared = 1;
  return m;
}

static bool same_question(const xb_view_mean *a, const xb_view_mean *b)
{
  return !strcmp(a->of->benchmark, b->of->benchmark) && !strcmp(a->subject->name, b->subject->name) &&
         !strcmp(a->base->name, b->base->name) && xb_same_text(a->subject_variant, b->subject_variant) &&
         xb_same_text(a->base_variant, b->base_variant);
}

typedef struct means_chart {
  bool one_file;
  xb_forest_row rows[XB_FOREST_MOST];
  size_t count;
} means_chart;

static void add_mean(xb_figure *figure, means_chart *chart, const xb_view_mean *mean)
{
  const xb_view_file *file = mean->subject->file;
  char name[XB_LONG_NAME], where[XB_LONG_NAME], cells[XB_NAME];
  snprintf(where, sizeof where, "%s", file->name);
  const xb_mean m = shown(mean, name, where);
  snprintf(cells, sizeof cells, "%" PRId64 " of %" PRId64, m.compared, m.of);
  xb_figure_row(figure, name, m.ratio, m.ci95_ratio.low, m.ci95_ratio.high, m.verdict, 100 * m.margin, cells,
                file->name);
  if (chart->count == XB_FOREST_MOST)
    return;
  xb_forest_row *row = &chart->rows[chart->count++];
  *row = (xb_forest_row){"", m.ratio, m.ci95_ratio, mean->subject->slot};
  snprintf(row->name, sizeof row->name, "%s", chart->one_file ? name : where);
}

/* Adds the first mean of a question, and those of the other files. */
static void add_question(xb_figure *figure, means_chart *chart, const xb_view *view, const xb_view_mean *mean)
{
  const xb_view_mean *first = view->means;
  while (!same_question(first, mean))
    first++;
  if (first != mean)
    return;
  if (!chart->one_file && chart->count + 1 < XB_FOREST_MOST) {
    chart->rows[chart->count] = (xb_forest_row){.ratio = NAN};
    name_question(mean, chart->rows[chart->count++].name);
  }
  for (const xb_view_mean *m = mean; m < view->means + view->mean_count; m++)
    if (same_question(m, mean))
      add_mean(figure, chart, m);
}

void xb_page_means(xb_page *page)
{
  static means_chart chart; /* too much for a stack */
  const xb_view *view = page->view;
  xb_figure figure;
  chart.one_file = view->file_count == 1;
  chart.count = 0;
  if (!view->mean_count || !xb_figure_begin(page, &figure))
    return;
  xb_figure_table(&figure, "t444t1tt", "ratio of", "ratio", "95 % from", "to", "verdict", "margin, %", "cells", "file");
  for (size_t i = 0; i < view->mean_count; i++)
    add_question(&figure, &chart, view, &view->means[i]);
  xb_forest_draw(&figure.chart, chart.rows, chart.count, (xb_interval){1, 1}, 0, true);
  XB_ADD(figure.title, "Which is faster");
  XB_ADD(figure.takeaway,
         "Ratios of times: of a benchmark's best cell or, of one variant, the geometric mean over its sizes and axis "
         "points. "
         "Below 1 the first side is faster. Bars are 95 %% intervals.%s",
         chart.count == XB_FOREST_MOST ? " Not all are drawn." : "");
  XB_ADD(figure.source, "the files named in the table");
  xb_figure_end(page, &figure);
}
