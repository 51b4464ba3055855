/* Bar charts: the variants of a benchmark at one size, one bar per API. */
#include "page/charts/charts.h"

#include <math.h>

enum { MOST_ROWS = 60, MOST_TARGETS = 12, BAR = 14, GAP = 10, NAME_CHARACTERS = 23 };
static const double LEFT = 0.41, RIGHT = 0.815, BEYOND = 0.35; /* limits this far above all bars are not drawn */

typedef struct ladder {
  const xb_view_file *file;
  size_t from, to;
  const xb_result *at[MOST_ROWS][MOST_TARGETS]; /* NULL: none */
  const char *rows[MOST_ROWS];                  /* variants */
  size_t row_count, rows_in_all;
  const xb_view_target *targets[MOST_TARGETS];
  size_t target_count;
  const xb_result *first; /* the first cell with a metric */
  double most, peak;
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
    l.first = !l.first && xb_has_value(cell) ? cell : l.first;
    l.most = xb_has_value(cell) && xb_result_value(cell) > l.most ? xb_result_value(cell) : l.most;
    l.peak = isfinite(target->peak) && xb_has_value(cell) && xb_is_bandwidth(cell) ? target->peak : l.peak;
  }
  return l;
}

/* The centre of a bar. Rows have a distance of 1; the bars of a row are next to each other around its centre. */
static double place(const ladder *l, size_t row, size_t target)
{
  const double pitch = (double)BAR / (double)(BAR * (int)l->target_count + GAP);
  return (double)row + ((double)target - ((double)l->target_count - 1) / 2) * pitch;
}

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

static void draw_bars(xb_chart *chart, const ladder *l, size_t t)
{
  const double half = 0.46 * BAR / (double)(BAR * (int)l->target_count + GAP);
  char figure[XB_NAME], text[XB_LONG_NAME];
  fprintf(chart->script, "$bars%zu << EOD\n", t);
  for (size_t row = 0; row < l->row_count; row++) {
    const xb_result *cell = l->at[row][t];
    const double y = place(l, row, t);
    if (cell && xb_has_value(cell))
      fprintf(chart->script, "%.9g %.6f %.6f %.6f\n", xb_result_value(cell), y, y - half, y + half);
  }
  fputs("EOD\n", chart->script);
  for (size_t row = 0; row < l->row_count; row++) {
    const xb_result *cell = l->at[row][t];
    if (!cell)
      continue;
    xb_name_figure(xb_result_value(cell), figure);
    if (xb_has_value(cell) && cell->percent_of_peak > 0)
      snprintf(text, sizeof text, "%s, %.0f %%", figure, cell->percent_of_peak);
    else
      snprintf(text, sizeof text, "%s", xb_has_value(cell) ? figure : xb_outcome_words(cell));
    xb_chart_put(chart, XB_COLOUR_INK, text, "graph %d, first %.6f left offset 0.6,0 font \",11\"", xb_has_value(cell),
                 place(l, row, t));
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
  if (copy <= l->scale.top)
    fprintf(chart->script,
            "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead front dt '-' lw 1.5 lc rgb '#0000%02x'\n", copy, copy,
            XB_COLOUR_SERIES + target->slot);
  return copy;
}

static void draw(xb_figure *figure, const ladder *l)
{
  xb_chart *chart = &figure->chart;
  char name[XB_NAME], text[XB_LONG_NAME];
  const double top = l->scale.top;
  for (size_t t = 0; t < l->target_count; t++)
    xb_figure_legend(figure, XB_MARK_BAR, l->targets[t]->slot, l->targets[t]->slot, l->targets[t]->name);
  for (size_t t = 0; t < l->target_count; t++) {
    const double copy = draw_copy(chart, l, t);
    snprintf(text, sizeof text, "measured copy, %s GB/s%s%s", xb_name_figure(copy, name),
             l->target_count > 1 ? ", " : "", l->target_count > 1 ? l->targets[t]->name : "");
    if (copy > top)
      XB_ADD(text, ", outside the chart");
    if (isfinite(copy))
      xb_figure_legend(figure, XB_MARK_DASHES, l->targets[t]->slot, 1, text);
  }
  const bool shown = l->peak <= top;
  xb_figure_roof(figure, l->peak, shown, "theoretical peak,", XB_MARK_LINE);
  if (shown)
    fprintf(chart->script, "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead front lw 1.5 lc rgb '#0000%02x'\n",
            l->peak, l->peak, XB_COLOUR_PEAK);
  fprintf(chart->script, "set xrange [0:%.9g]\nset yrange [%.2f:-0.55]\n", top, (double)l->row_count - 0.45);
  for (size_t row = 0; row < l->row_count; row++)
    xb_chart_mark(chart, 'y', (double)row, xb_name_variant(l->rows[row], name), NAME_CHARACTERS);
  xb_chart_marks(chart, 'x', top);
  snprintf(text, sizeof text, "%s, %s", l->first->metrics.values[0].name, l->first->metrics.values[0].unit);
  xb_chart_axes(chart, text, NULL);
  for (size_t t = 0; t < l->target_count; t++)
    draw_bars(chart, l, t);
  for (size_t t = 0; t < l->target_count; t++) {
    const int slot = l->targets[t]->slot;
    static const char box[] = "using ($1/2):2:(0):1:3:4 with boxxyerror fs";
    fprintf(chart->script, "%s $bars%zu %s solid 1 lc rgb '#0000%02x', $bars%zu %s %s lc rgb '#0000%02x'",
            t ? "," : "plot", t, box, XB_COLOUR_SOFT + slot, t, box, xb_fill(slot), XB_COLOUR_SERIES + slot);
  }
  fputs("\n", chart->script);
}

/* ---- Texts and table -------------------------------------------------------------------------------------------- */

static void say(xb_figure *figure, const ladder *l)
{
  const xb_view_file *file = l->file;
  const xb_result *first = file->cells[l->from], *best = NULL;
  const bool in_kernel = xb_same_text(first->loop, "kernel");
  char name[XB_NAME], value[XB_NAME], question[XB_NAME];
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = file->cells[i];
    if (xb_has_value(cell) && (!best || xb_is_better(cell, best)))
      best = cell;
  }
  XB_ADD(figure->title, "%s, %s: %s", first->benchmark, xb_name_question(first, question),
         l->row_count < 2                            ? l->first->metrics.values[0].name
         : xb_view_is_ladder(file, first->benchmark) ? "the ladder"
                                                     : "all variants");
  if (best) {
    XB_ADD(figure->takeaway, "Best: %s through %s, %s %s", xb_name_variant(best->variant, name),
           xb_view_target_of(file, best)->name, xb_name_figure(xb_result_value(best), value), xb_result_unit(best));
    if (best->percent_of_peak > 0)
      XB_ADD(figure->takeaway, ", %.0f %% of the theoretical peak", best->percent_of_peak);
  }
  XB_ADD(figure->takeaway, ".%s", l->rows_in_all > l->row_count ? " Not all variants are drawn." : "");
  if (in_kernel)
    XB_ADD(figure->takeaway, " The work is repeated inside the kernel, so its data is in the nearest cache.");
  XB_ADD(figure->source, "%s; %s cache%s", file->name, first->cache, in_kernel ? "; repeated inside the kernel" : "");
}

static void tabulate(xb_data_table *table, const ladder *l)
{
  xb_data_table_begin(table, "ttnnnn11t", "variant", "API", xb_result_unit(l->first), "time, us", "95 % from, us",
                      "to, us", "% of peak", "% of copy", "result");
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    xb_data_table_row(table, cell->variant, xb_view_target_of(l->file, cell)->name, xb_result_value(cell),
                      cell->median_ns / 1e3, cell->ci95_ns.low / 1e3, cell->ci95_ns.high / 1e3, cell->percent_of_peak,
                      cell->percent_of_copy, cell->error ? cell->error : xb_outcome_words(cell));
  }
}

void xb_ladder(xb_page *page, const xb_view_file *file, size_t from, size_t to)
{
  xb_figure figure;
  ladder l = survey(file, from, to);
  const int height = (int)l.row_count * (BAR * (int)l.target_count + GAP) + 62;
  if (!(l.most > 0) || !xb_figure_begin(page, &figure, height, LEFT, RIGHT, 1 - 10. / height, 50. / height))
    return;
  l.scale = xb_scale_find(page->view, l.first, xb_same_size, -1, BEYOND);
  draw(&figure, &l);
  say(&figure, &l);
  tabulate(&figure.table, &l);
  xb_figure_end(page, &figure);
}
