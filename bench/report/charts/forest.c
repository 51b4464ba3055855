/* Forest plots: one row per ratio, with its interval. One of them shows which API or variant is faster: the ratio of
 * the best cell among those of the largest size. The range over the other sizes and places is shown where all ratios
 * are of one variant: cells of different variants have nothing in common. */
#include "report/charts/charts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { ROW = 24, ROW_WITH_NAME = 40, ROW_WITH_RANGE = 54, NAME_CHARACTERS = 23, LONG_NAME_CHARACTERS = 62 };

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
  const double middle = y + (above && !*row->below ? 0.12 : 0);
  char text[XB_NAME];
  if (above)
    xb_draw_text(chart, chart->x.low, y + (heading ? 0.2 : -0.32),
                 (xb_text){.colour = heading ? XB_COLOUR_MUTED : XB_COLOUR_INK,
                           .size = 12,
                           .right = -13,
                           .characters = LONG_NAME_CHARACTERS},
                 row->name);
  else
    xb_chart_mark(chart, 'y', y, row->name, NAME_CHARACTERS, false);
  if (heading)
    return;
  if (above) {
    xb_draw_across(chart, 'y', middle, (xb_pen){XB_COLOUR_GRID, 1, false});
    xb_draw_line(chart, (xb_pen){XB_COLOUR_PEAK, 1.5, false}, 1, middle - 0.2, 1, middle + 0.2);
  }
  if (row->range.high > row->range.low)
    xb_draw_line(chart, (xb_pen){XB_COLOUR_SOFT + row->slot, 5, false}, row->range.low, middle, row->range.high,
                 middle);
  if (*row->below)
    xb_draw_text(chart, chart->x.low, y + 0.28,
                 (xb_text){.colour = XB_COLOUR_MUTED, .right = -13, .characters = LONG_NAME_CHARACTERS}, row->below);
  xb_draw_interval(chart, 'x', xb_drawn_interval(row->ratio, row->interval), middle, pen);
  xb_draw_point(chart, pen.colour, row->slot, row->ratio, middle);
  xb_draw_text(chart, chart->x.high, middle, (xb_text){.right = 6}, xb_name_ratio(row->ratio, row->interval, text));
}

void xb_forest_draw(xb_chart *chart, const xb_forest_row *rows, size_t count, xb_interval range, double margin,
                    bool above)
{
  bool ranges = false;
  for (size_t i = 0; i < count; i++) {
    ranges |= *rows[i].below != 0;
    const xb_interval ends = xb_drawn_interval(rows[i].ratio, rows[i].interval);
    range.low = fmin(range.low, ends.low);
    range.high = fmax(range.high, ends.high);
    if (rows[i].range.high > rows[i].range.low)
      range = (xb_interval){fmin(range.low, rows[i].range.low), fmax(range.high, rows[i].range.high)};
  }
  const double pad = fmax(pow(range.high / range.low, 0.02), 1.005);
  range = (xb_interval){range.low / pad, range.high * pad};
  xb_chart_size(chart,
                (int)count * (ranges  ? ROW_WITH_RANGE
                              : above ? ROW_WITH_NAME
                                      : ROW) +
                    68,
                above ? 18 : 172, above ? 130 : 126, 10, 56);
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

/* "reduce: Vulkan / CUDA graph", without the GPU: several may follow. With `best`, that pair of variants. */
static void name_question(const xb_view_mean *mean, const xb_comparison *best, char out[XB_LONG_NAME])
{
  char sides[XB_NAME];
  xb_view_target subject = *mean->subject, base = *mean->base;
  *subject.model = *base.model = 0;
  snprintf(subject.name, sizeof subject.name, "%s", subject.api);
  snprintf(base.name, sizeof base.name, "%s", base.api);
  xb_name_sides(&subject, best ? best->subject->variant : mean->subject_variant,
                mean->subject == mean->base ? &subject : &base, best ? best->base->variant : mean->base_variant, sides);
  snprintf(out, XB_LONG_NAME, "%s%s: %s", mean->of->benchmark, best ? ", at best" : "", sides);
}

/* "2^30", "8192\u00b2, stride 2". */
static const char *name_place(const xb_result *cell, char out[XB_NAME])
{
  char at[XB_AT_TEXT];
  name_range_end(cell, out);
  if (cell->at.count)
    xb_append(out, XB_NAME, ", %s", xb_result_at(cell, at));
  return out;
}

/* What is shown of a mean. */
typedef struct shown {
  const xb_comparison *best, *least,
      *most; /* the best subject's among the largest cells; the lowest ratio, the highest */
  bool one_variant;
} shown;

static shown find_shown(const xb_view_mean *mean)
{
  const xb_view_file *file = mean->subject->file;
  shown s = {.one_variant = mean->subject_variant && mean->base_variant};
  for (size_t i = 0; i < file->ratio_count; i++) {
    const xb_comparison *r = &file->ratios[i];
    if (!r->verdict || !xb_ratio_of_mean(r, mean))
      continue;
    s.least = !s.least || r->ratio < s.least->ratio ? r : s.least;
    s.most = !s.most || r->ratio > s.most->ratio ? r : s.most;
    if (!s.best || r->subject->work.size > s.best->subject->work.size ||
        (r->subject->work.size == s.best->subject->work.size && xb_is_better(r->subject, s.best->subject)))
      s.best = r;
  }
  return s;
}

static bool same_question(const xb_view_mean *a, const xb_view_mean *b)
{
  return !strcmp(a->of->benchmark, b->of->benchmark) && !strcmp(a->subject->api, b->subject->api) &&
         !strcmp(a->base->api, b->base->api) && xb_same_text(a->subject_variant, b->subject_variant) &&
         xb_same_text(a->base_variant, b->base_variant);
}

typedef struct means_chart {
  bool one_file;
  xb_forest_row rows[XB_FOREST_MOST];
  size_t count;
} means_chart;

/* "9 single_pass, " with `variant`; "2^30"; the GPU, where there are several. */
static void name_row(const xb_view_mean *mean, const shown *s, bool variant, char out[XB_LONG_NAME])
{
  char text[XB_NAME];
  if (variant)
    xb_append(out, XB_LONG_NAME, ", %s", xb_name_variant(s->best->subject->variant, text));
  xb_append(out, XB_LONG_NAME, ", %s%s%s", name_place(s->best->subject, text), *mean->subject->model ? ", " : "",
            mean->subject->model);
  if (xb_same_text(s->best->subject->conditions.loop, "kernel"))
    xb_append(out, XB_LONG_NAME, " (in the kernel)");
}

static void add_mean(xb_figure *figure, means_chart *chart, const xb_view_mean *mean)
{
  const xb_view_file *file = mean->subject->file;
  const shown s = find_shown(mean);
  if (!s.best)
    return;
  const bool ranges = s.one_variant && s.least != s.most;
  char name[XB_LONG_NAME], least[XB_NAME], most[XB_NAME], cells[XB_NAME];
  xb_forest_row row = {.ratio = s.best->ratio, .interval = s.best->ci95_ratio, .range = {s.best->ratio, s.best->ratio}};
  row.slot = mean->subject->slot;
  name_question(mean, s.one_variant ? NULL : s.best, name);
  name_row(mean, &s, false, name);
  name_place(s.least->subject, least);
  name_place(s.most->subject, most);
  snprintf(cells, sizeof cells, "%" PRId64 " of %" PRId64, s.one_variant ? mean->of->compared : 1, mean->of->of);
  xb_figure_row(figure, name, row.ratio, row.interval.low, row.interval.high, s.best->verdict, 100 * s.best->margin,
                ranges ? s.least->ratio : NAN, ranges ? s.most->ratio : NAN, s.one_variant ? mean->of->ratio : NAN,
                cells, file->name);
  if (ranges) {
    row.range = (xb_interval){s.least->ratio, s.most->ratio};
    snprintf(row.below, sizeof row.below, "from %.3f at %.48s to %.3f at %.48s", s.least->ratio, least, s.most->ratio,
             most);
  }
  snprintf(row.name, sizeof row.name, "%s", chart->one_file ? name : file->name);
  if (!chart->one_file)
    name_row(mean, &s, !s.one_variant, row.name);
  if (chart->count < XB_FOREST_MOST)
    chart->rows[chart->count++] = row;
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
    name_question(mean, NULL, chart->rows[chart->count++].name);
  }
  for (const xb_view_mean *m = mean; m < view->means + view->mean_count; m++)
    if (same_question(m, mean))
      add_mean(figure, chart, m);
}

void xb_report_means(xb_report *report)
{
  means_chart chart;
  const xb_view *view = report->view;
  xb_figure figure;
  chart.one_file = view->file_count == 1;
  chart.count = 0;
  if (!view->mean_count || !xb_figure_begin(report, &figure))
    return;
  xb_figure_table(&figure, "t444t1444tt", "ratio of", "ratio", "95 % from", "to", "verdict", "margin, %", "lowest",
                  "highest", "mean", "cells", "file");
  for (size_t i = 0; i < view->mean_count; i++)
    add_question(&figure, &chart, view, &view->means[i]);
  xb_forest_draw(&figure.chart, chart.rows, chart.count, (xb_interval){1, 1}, 0, true);
  XB_ADD(figure.title, "Which is faster");
  XB_ADD(figure.takeaway,
         "Ratios of times of the best cells at the largest size; the pale line is the range over all sizes and axis "
         "points. Below 1 the first side is faster. Bars are 95 %% intervals.%s",
         chart.count == XB_FOREST_MOST ? " Not all are drawn." : "");
  XB_ADD(figure.source, "the files named in the table");
  xb_figure_end(report, &figure);
}
