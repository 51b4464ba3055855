/* Line charts: the first metric by size or by an axis, one line per variant and API. Charts by size also show the cache
 * size and the limits (peak and copy). Charts by axis also show the model's prediction from the axis' base value. With
 * too many lines for one chart, there is one per target or, by an axis, one per variant. */
#include "page/charts/charts.h"

#include <inttypes.h>
#include <string.h>

enum { HEIGHT = 300, MOST_TOGETHER = 6, MOST_PLACES = 6, MOST_SIZES = 3 };
static const double BEYOND = 0.35; /* a limit this far above all points is only in the legend */

/* ---- Texts and table -------------------------------------------------------------------------------------------- */

static const char *name_x(const xb_lines *l, const xb_result *cell, char out[XB_NAME])
{
  if (l->axis < 0)
    return xb_name_size(cell, out);
  snprintf(out, XB_NAME, "%s %.0f", cell->at.values[l->axis].axis, xb_line_x(l, cell));
  return out;
}

static void tabulate(xb_data_table *table, const xb_lines *l)
{
  char x[XB_NAME];
  xb_data_table_begin(table, l->axis < 0 ? "tttnn11" : "tttnn1111t", l->across, "variant", "API", l->metric->unit,
                      "time, us", "% of peak", "% of copy", "% of base", "predicted", "result");
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    const char *target = xb_view_target_of(l->file, cell)->name;
    if (xb_line_has(l, cell))
      xb_data_table_row(table, name_x(l, cell, x), cell->variant, target, xb_result_value(cell), cell->median_ns / 1e3,
                        cell->percent_of_peak, cell->percent_of_copy, 100 * cell->model.measured,
                        100 * cell->model.predicted, cell->outcome == XB_CELL_OK ? "ok" : xb_result_why(cell));
  }
}

/* "offset, 2^24 float32, 1 word: bandwidth against offset". */
static void name_chart(xb_figure *figure, const xb_lines *l)
{
  char text[XB_NAME];
  const xb_result *first = l->like;
  XB_ADD(figure->title, "%s, %s%s%s", first->benchmark, l->axis < 0 ? "" : xb_name_size(first, text),
         l->axis < 0 ? "" : " ", first->dtype);
  for (size_t a = 0; a < first->at.count; a++)
    if ((int)a != l->axis && (first->at.count > 1 || l->axes_vary))
      XB_ADD(figure->title, ", %s %" PRId64, first->at.values[a].axis, first->at.values[a].value);
  XB_ADD(figure->title, "%s%s%s%s: %s against %s", l->variant ? ", " : "",
         l->variant ? xb_name_variant(l->variant, text) : "", l->only ? ", " : "", l->only ? l->only->name : "",
         l->metric->name, l->across);
}

/* The takeaway: by size, the best value at the largest size; by axis, and for a time, the best and the worst value. */
static void say(xb_figure *figure, const xb_lines *l)
{
  char x[XB_NAME], value[XB_NAME];
  const xb_result *last = NULL, *low = NULL;
  const bool both = l->axis >= 0 || l->metric->more_is_better == 0;
  name_chart(figure, l);
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    if (!xb_has_value(cell) || !xb_line_has(l, cell))
      continue;
    if (!last || (!both && cell->size > last->size) || xb_is_better(cell, last))
      last = cell;
  }
  for (size_t i = l->from; i < l->to; i++) { /* of the same line */
    const xb_result *cell = l->file->cells[i];
    if (xb_has_value(cell) && xb_line_has(l, cell) && cell->on == last->on && !strcmp(cell->variant, last->variant) &&
        (!low || xb_is_better(low, cell)))
      low = cell;
  }
  if (last) {
    XB_ADD(figure->takeaway, "At %s: %s %s through %s", name_x(l, last, x),
           xb_name_figure(xb_result_value(last), value), l->metric->unit, xb_view_target_of(l->file, last)->name);
    if (last->percent_of_peak > 0)
      XB_ADD(figure->takeaway, ", %.0f %% of the theoretical peak", last->percent_of_peak);
    if (both)
      XB_ADD(figure->takeaway, "; %s, at %s: %s", l->metric->more_is_better ? "lowest" : "longest", name_x(l, low, x),
             xb_name_figure(xb_result_value(low), value));
    XB_ADD(figure->takeaway, ".%s", l->in_all > l->count ? " Not all lines are drawn." : "");
  }
  XB_ADD(figure->source, "%s; %s cache", l->file->name, l->like->cache);
}

static void chart(xb_page *page, xb_lines *l)
{
  xb_figure figure;
  if (!(l->most > l->least) ||
      !xb_figure_begin(page, &figure, HEIGHT, 0.115, xb_right_of_lines(l), 1 - 26. / HEIGHT, 52. / HEIGHT))
    return;
  l->scale = xb_scale_find(page->view, l->drawn, l->axis < 0 ? xb_same_question : xb_same_size, l->axis,
                           l->only ? BEYOND / 10 : BEYOND);
  xb_bandwidth_draw(&figure, l);
  tabulate(&figure.table, l);
  say(&figure, l);
  xb_figure_end(page, &figure);
}

/* Draws one chart or, if it would have too many lines or several metrics, one per target or per variant. */
static void charts(xb_page *page, const xb_lines *all)
{
  xb_lines l = *all;
  xb_lines_find(&l);
  if (l.in_all <= MOST_TOGETHER && !l.mixed) {
    chart(page, &l);
    return;
  }
  for (size_t t = 0; t < l.file->document->device_count && l.axis < 0 && !l.mixed; t++) {
    xb_lines one = *all;
    one.only = &l.file->targets[t];
    xb_lines_find(&one);
    chart(page, &one);
  }
  for (size_t i = l.from; i < l.to && (l.axis >= 0 || l.mixed); i++) {
    xb_lines one = *all;
    size_t first = l.from;
    while (strcmp(l.file->cells[first]->variant, l.file->cells[i]->variant) != 0)
      first++;
    one.variant = l.file->cells[i]->variant;
    xb_lines_find(&one);
    if (first == i)
      chart(page, &one);
  }
}

/* One for each place on the axes that the smallest size has; with many places, only for the first one. */
void xb_bandwidth(xb_page *page, const xb_view_file *file, size_t from, size_t to)
{
  const size_t end = xb_view_end(file, from, xb_same_size);
  const xb_result *at[MOST_PLACES];
  size_t places = 0;
  for (size_t i = from; i < end; i++)
    if (i == from || xb_compare_at(file->cells[i], file->cells[i - 1]))
      at[places++ % MOST_PLACES] = file->cells[i];
  if (places > MOST_PLACES)
    at[0] = file->cells[from];
  for (size_t p = 0; p < (places > MOST_PLACES ? 1 : places) && end < to; p++)
    charts(page, &(xb_lines){.file = file, .from = from, .to = to, .axis = -1, .like = at[p], .axes_vary = places > 1});
}

void xb_axes(xb_page *page, const xb_view_file *file, size_t from, size_t to)
{
  size_t sizes = 0;
  for (size_t i = from; i < to; i = xb_view_end(file, i, xb_same_size))
    sizes++;
  for (size_t i = from, end; i < to; i = end) {
    end = xb_view_end(file, i, xb_same_size);
    for (size_t a = 0; a < file->cells[i]->at.count && (sizes <= MOST_SIZES || end == to); a++)
      charts(page, &(xb_lines){.file = file, .from = i, .to = end, .axis = (int)a, .like = file->cells[i]});
  }
}
