/* The variants of a benchmark at one size, a row for each: as bars of the first metric, one per API; without a metric,
 * such as launch, as dots on a logarithmic time axis. */
#include "report/charts/charts.h"

#include <math.h>

enum { MOST_ROWS = 60, MOST_TARGETS = 12, BAR = 14, DOT = 17, GAP = 10, NAME_CHARACTERS = 23 };
static const double BEYOND = 0.35; /* limits this far above all bars are not drawn */

typedef struct ladder {
  const xb_view_file *file;
  size_t from, to;
  const xb_result *at[MOST_ROWS][MOST_TARGETS]; /* NULL: none */
  const char *rows[MOST_ROWS];                  /* variants */
  size_t row_count, rows_in_all;
  const xb_view_target *targets[MOST_TARGETS];
  size_t target_count;
  int pitch;                /* the height of a bar or dot */
  const xb_result *first;   /* the first cell with a metric; NULL: times are shown */
  const xb_result *fastest; /* NULL: no cell has a time */
  double peak;
  xb_scale scale; /* that of all files */
} ladder;

/* Returns the index of the target; MOST_TARGETS if there is no room. */
static size_t add_target(ladder *l, const xb_view_target *target)
{
  size_t t = 0;
  while (t < l->target_count && l->targets[t] != target)
    t++;
  if (t == l->target_count && t < MOST_TARGETS)
    l->targets[l->target_count++] = target;
  return t;
}

static bool is_timed(const xb_result *cell)
{
  return cell->outcome == XB_CELL_OK && cell->time.median_ns > 0;
}

static ladder survey(const xb_view_file *file, size_t from, size_t to)
{
  ladder l = {.file = file, .from = from, .to = to, .peak = NAN};
  for (size_t i = from; i < to; i++) {
    const xb_result *cell = file->cells[i];
    const xb_view_target *target = xb_view_target_of(file, cell);
    const bool new_row = xb_begins_variant(file, from, i);
    const size_t t = add_target(&l, target);
    l.rows_in_all += new_row;
    if (new_row && l.row_count < MOST_ROWS)
      l.rows[l.row_count++] = cell->variant;
    if (l.rows_in_all == l.row_count && t < MOST_TARGETS && !l.at[l.row_count - 1][t])
      l.at[l.row_count - 1][t] = cell;
    if (is_timed(cell) && (!l.fastest || cell->time.median_ns < l.fastest->time.median_ns))
      l.fastest = cell;
    l.first = !l.first && xb_has_value(cell) ? cell : l.first;
    l.peak = isfinite(target->peak) && xb_has_value(cell) && xb_is_bandwidth(cell) ? target->peak : l.peak;
  }
  l.pitch = l.first ? BAR : DOT;
  return l;
}

/* The centre of a bar or dot. Rows have a distance of 1; those of a row are below each other, around its centre. */
static double place(const ladder *l, size_t row, size_t target)
{
  const double pitch = (double)l->pitch / (double)(l->pitch * (int)l->target_count + GAP);
  return (double)row + ((double)target - ((double)l->target_count - 1) / 2) * pitch;
}

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

static void draw_names(xb_chart *chart, const ladder *l)
{
  char name[XB_NAME];
  for (size_t row = 0; row < l->row_count; row++)
    xb_chart_mark(chart, 'y', (double)row, xb_name_variant(l->rows[row], name), NAME_CHARACTERS, !l->first);
}

static void draw_value(xb_chart *chart, const xb_result *cell, int slot, double y, double half)
{
  const bool drawn = xb_has_value(cell);
  char figure[XB_NAME], text[XB_LONG_NAME];
  snprintf(text, sizeof text, "%s", drawn ? xb_name_figure(xb_result_value(cell), figure) : xb_outcome_words(cell));
  if (drawn && cell->rates.percent_of_peak > 0)
    XB_ADD(text, ", %.0f %%", cell->rates.percent_of_peak);
  if (drawn) {
    xb_draw_bar(chart, slot, 0, y - half, xb_result_value(cell), y + half);
    xb_draw_whisker(chart, 'x', xb_value_interval(cell), y, XB_COLOUR_INK);
  }
  xb_draw_text(chart, drawn ? chart->x.high : chart->x.low, y, (xb_text){.right = 5}, text);
}

static void draw_time(xb_chart *chart, const xb_result *cell, int slot, double y)
{
  char text[XB_NAME];
  if (!is_timed(cell)) {
    xb_draw_text(chart, chart->x.low, y, (xb_text){.right = 4}, xb_outcome_words(cell));
    return;
  }
  const xb_interval *ns = &cell->time.ci95_ns;
  xb_draw_whisker(chart, 'x', (xb_interval){ns->low / 1e3, ns->high / 1e3}, y, XB_COLOUR_INK);
  xb_draw_point(chart, XB_COLOUR_SERIES + slot, slot, cell->time.median_ns / 1e3, y);
  xb_draw_text(chart, cell->time.median_ns / 1e3, y, (xb_text){.right = 8}, xb_name_time(cell->time.median_ns, text));
}

static void draw_cells(xb_figure *figure, const ladder *l)
{
  const double half = 0.46 * BAR / (double)(BAR * (int)l->target_count + GAP);
  for (size_t t = 0; t < l->target_count; t++) {
    const int slot = l->targets[t]->slot;
    xb_figure_legend(figure, l->first ? XB_MARK_BAR : XB_MARK_POINT, slot, slot, l->targets[t]->name);
    for (size_t row = 0; row < l->row_count; row++)
      if (l->at[row][t] && l->first)
        draw_value(&figure->chart, l->at[row][t], slot, place(l, row, t), half);
      else if (l->at[row][t])
        draw_time(&figure->chart, l->at[row][t], slot, place(l, row, t));
  }
}

/* A dashed line at the measured copy of the target; at the best one if cells have different copies as baseline. */
static double draw_copy(xb_chart *chart, const ladder *l, size_t t)
{
  const xb_view_target *target = l->targets[t];
  double copy = NAN;
  for (size_t i = l->from; i < l->to; i++)
    if (xb_view_target_of(l->file, l->file->cells[i]) == target)
      copy = fmax(copy, xb_view_copy(l->file->cells[i]));
  xb_draw_across(chart, 'x', copy, (xb_pen){XB_COLOUR_SERIES + target->slot, 1.5, true});
  return copy;
}

static void draw_limits(xb_figure *figure, const ladder *l)
{
  char name[XB_NAME], text[XB_LONG_NAME];
  const double top = l->scale.top;
  for (size_t t = 0; t < l->target_count; t++) {
    const double copy = draw_copy(&figure->chart, l, t);
    snprintf(text, sizeof text, "measured copy, %s GB/s%s%s", xb_name_figure(copy, name),
             l->target_count > 1 ? ", " : "", l->target_count > 1 ? l->targets[t]->name : "");
    if (copy > top)
      XB_ADD(text, ", outside the chart");
    if (isfinite(copy))
      xb_figure_legend(figure, XB_MARK_DASHES, l->targets[t]->slot, 1, text);
  }
  xb_figure_roof(figure, l->peak, l->peak <= top, "theoretical peak,", XB_MARK_LINE);
  xb_draw_across(&figure->chart, 'x', l->peak, (xb_pen){XB_COLOUR_PEAK, 1.5, false});
}

static void draw(xb_figure *figure, const ladder *l)
{
  xb_chart *chart = &figure->chart;
  const int height = (int)l->row_count * (l->pitch * (int)l->target_count + GAP);
  char text[XB_LONG_NAME];
  if (l->first) {
    const xb_metric *metric = &l->first->rates.metrics.values[0];
    xb_chart_size(chart, height + 62, 172, 78, 10, 50);
    xb_row_axis(chart, l->row_count);
    xb_linear_axis(chart, 'x', 0, l->scale.top, 0);
    snprintf(text, sizeof text, "%s, %s", metric->name, metric->unit);
    xb_chart_titles(chart, text, NULL);
  } else {
    const double low = l->scale.shortest_ns / 1e3, high = l->scale.longest_ns / 1e3;
    xb_interval range = {low / 1.8, high * pow(high / low, 0.4)}; /* with room for the last time */
    xb_chart_size(chart, height + 70, 172, 21, 14, 56);
    xb_row_axis(chart, l->row_count);
    xb_factor_axis(chart, 'x', &range, true);
    xb_chart_titles(chart, "time, us (log scale)", NULL);
  }
  draw_names(chart, l);
  draw_cells(figure, l);
  if (l->first)
    draw_limits(figure, l);
}

/* ---- Texts and table -------------------------------------------------------------------------------------------- */

static void say_values(xb_figure *figure, const ladder *l)
{
  const xb_view_file *file = l->file;
  const xb_result *first = file->cells[l->from], *best = NULL;
  const bool in_kernel = xb_same_text(first->conditions.loop, "kernel");
  char name[XB_NAME], value[XB_NAME], question[XB_NAME];
  xb_ties ties = {.count = 0};
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = file->cells[i];
    if (xb_has_value(cell) && (!best || xb_is_better(cell, best)))
      best = cell;
  }
  for (size_t i = l->from; best && i < l->to; i++) {
    const xb_result *cell = file->cells[i];
    if (cell != best && xb_is_tied(best, cell))
      xb_ties_add(&ties, "%s through %s, %s", xb_name_variant(cell->variant, name), xb_view_target_of(file, cell)->name,
                  xb_name_figure(xb_result_value(cell), value));
  }
  XB_ADD(figure->title, "%s, %s: %s", first->benchmark, xb_name_question(first, question),
         l->row_count < 2                            ? l->first->rates.metrics.values[0].name
         : xb_view_is_ladder(file, first->benchmark) ? "the ladder"
                                                     : "all variants");
  if (best) {
    XB_ADD(figure->takeaway, "%s: %s through %s, %s %s", ties.count ? "Not distinguishable" : "Best",
           xb_name_variant(best->variant, name), xb_view_target_of(file, best)->name,
           xb_name_figure(xb_result_value(best), value), xb_result_unit(best));
    if (best->rates.percent_of_peak > 0)
      XB_ADD(figure->takeaway, ", %.0f %% of the theoretical peak", best->rates.percent_of_peak);
  }
  XB_ADD(figure->takeaway, "%s. Whiskers are 95 %% intervals.%s", xb_ties_text(&ties),
         l->rows_in_all > l->row_count ? " Not all variants are drawn." : "");
  if (in_kernel)
    XB_ADD(figure->takeaway, " The work is repeated inside the kernel, so its data is in the nearest cache.");
  XB_ADD(figure->source, "%s; %s cache%s", file->name, first->conditions.cache,
         in_kernel ? "; repeated inside the kernel" : "");
}

static void say_times(xb_figure *figure, const ladder *l)
{
  char question[XB_NAME], time[XB_NAME], name[XB_NAME];
  const xb_result *first = l->file->cells[l->from];
  xb_ties ties = {.count = 0};
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    if (cell != l->fastest && is_timed(cell) && xb_is_tied(l->fastest, cell))
      xb_ties_add(&ties, "%s through %s, %s", xb_name_variant(cell->variant, name),
                  xb_view_target_of(l->file, cell)->name, xb_name_time(cell->time.median_ns, time));
  }
  XB_ADD(figure->title, "%s, %s: times", first->benchmark, xb_name_question(first, question));
  XB_ADD(figure->takeaway, "%s: %s through %s, %s%s. Whiskers are 95 %% intervals.",
         ties.count ? "Not distinguishable" : "Shortest", xb_name_variant(l->fastest->variant, name),
         xb_view_target_of(l->file, l->fastest)->name, xb_name_time(l->fastest->time.median_ns, time),
         xb_ties_text(&ties));
  XB_ADD(figure->source, "%s; %s cache", l->file->name, first->conditions.cache);
}

static void tabulate(xb_figure *figure, const ladder *l)
{
  if (l->first)
    xb_figure_table(figure, "ttnnnn11t", "variant", "API", xb_result_unit(l->first), "time, us", "95 % from, us",
                    "to, us", "% of peak", "% of copy", "result");
  else
    xb_figure_table(figure, "ttttnnnt", "variant", "what", "API", "clock", "time, us", "95 % from, us", "to, us",
                    "result");
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    const char *api = xb_view_target_of(l->file, cell)->name,
               *why = cell->check.error ? cell->check.error : xb_outcome_words(cell);
    const double us = cell->time.median_ns / 1e3, low = cell->time.ci95_ns.low / 1e3,
                 high = cell->time.ci95_ns.high / 1e3;
    if (l->first)
      xb_figure_row(figure, cell->variant, api, xb_result_value(cell), us, low, high, cell->rates.percent_of_peak,
                    cell->rates.percent_of_copy, why);
    else
      xb_figure_row(figure, cell->variant, cell->title, api, cell->conditions.clock, us, low, high, why);
  }
}

void xb_ladder(xb_report *report, const xb_view_file *file, size_t from, size_t to)
{
  xb_figure figure;
  ladder l = survey(file, from, to);
  if ((!l.first && !l.fastest) || !xb_figure_begin(report, &figure))
    return;
  l.scale = xb_scale_find(report->view, l.first ? l.first : file->cells[from], xb_same_size, -1, l.first ? BEYOND : 1);
  draw(&figure, &l);
  if (l.first)
    say_values(&figure, &l);
  else
    say_times(&figure, &l);
  tabulate(&figure, &l);
  xb_figure_end(report, &figure);
}
