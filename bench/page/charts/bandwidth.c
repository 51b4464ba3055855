/* Line charts: the first metric by size or by an axis, one line per variant and API. Charts by size also show the cache
 * size and the limits (peak and copy). Charts by axis also show the model's prediction from the axis' base value. */
#include "page/charts/charts.h"

#include <math.h>
#include <string.h>

enum { HEIGHT = 300, MOST_TOGETHER = 6 };
static const double BEYOND = 0.35; /* a limit this far above all points is only in the legend */

/* ---- Texts and table -------------------------------------------------------------------------------------------- */

static void name_x(const xb_lines *l, const xb_result *cell, char out[XB_NAME])
{
  if (l->axis < 0)
    xb_name_size(cell, out);
  else
    snprintf(out, XB_NAME, "%s %.0f", cell->at.values[l->axis].axis, xb_line_x(l, cell));
}

static void tabulate(xb_figure *figure, const xb_lines *l)
{
  xb_data_table *table = &figure->table;
  const char *const unit = l->metric->unit;
  const char *const heads[] = {l->across,   "variant",   "API",       unit,        "time, us",
                               "% of peak", "% of copy", "% of base", "predicted", "result"};
  char x[XB_NAME], value[XB_NAME];
  for (size_t c = 0; c < (l->axis < 0 ? 7 : 10); c++)
    xb_data_table_column(table, heads[c], c > 2 && c < 9);
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    if (!xb_line_has(l, cell))
      continue;
    name_x(l, cell, x);
    xb_name_figure(xb_result_value(cell), value);
    xb_data_table_text(table, x);
    xb_data_table_text(table, cell->variant);
    xb_data_table_text(table, xb_view_target_of(l->file, cell)->name);
    xb_data_table_number(table, -1, xb_result_value(cell));
    xb_data_table_number(table, -1, cell->median_ns / 1e3);
    xb_data_table_number(table, 1, cell->percent_of_peak);
    xb_data_table_number(table, 1, cell->percent_of_copy);
    if (l->axis >= 0) {
      xb_data_table_number(table, 1, 100 * cell->model.measured);
      xb_data_table_number(table, 1, 100 * cell->model.predicted);
      xb_data_table_text(table, cell->outcome == XB_CELL_OK ? "ok" : xb_result_why(cell));
    }
    if (xb_has_value(cell))
      XB_ADD(figure->details, "%s %s: %s %s. ", x, xb_view_target_of(l->file, cell)->name, value, unit);
  }
}

/* The takeaway: by size, the best value at the largest size; by axis, the highest and the lowest value. */
static void say(xb_figure *figure, const xb_lines *l)
{
  char x[XB_NAME], value[XB_NAME], low_value[XB_NAME], question[XB_NAME];
  const xb_result *first = l->file->cells[l->from], *last = NULL, *low = NULL;
  xb_name_size(first, question);
  XB_ADD(figure->title, "%s, %s%s%s%s%s: %s against %s", first->benchmark, l->axis < 0 ? "" : question,
         l->axis < 0 ? "" : " ", first->dtype, l->only ? ", " : "", l->only ? l->only->name : "", l->metric->name,
         l->across);
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    if (!xb_has_value(cell) || !xb_line_has(l, cell))
      continue;
    if (!last || (l->axis < 0 && cell->size > last->size) || xb_result_value(cell) > xb_result_value(last))
      last = cell;
    if (!low || xb_result_value(cell) < xb_result_value(low))
      low = cell;
  }
  if (last) {
    name_x(l, last, x);
    xb_name_figure(xb_result_value(last), value);
    XB_ADD(figure->takeaway, "At %s: %s %s through %s", x, value, l->metric->unit,
           xb_view_target_of(l->file, last)->name);
    if (last->percent_of_peak > 0)
      XB_ADD(figure->takeaway, ", %.0f %% of the theoretical peak", last->percent_of_peak);
    name_x(l, low, x);
    xb_name_figure(xb_result_value(low), low_value);
    if (l->axis >= 0)
      XB_ADD(figure->takeaway, "; lowest, at %s: %s", x, low_value);
    XB_ADD(figure->takeaway, ".%s", l->in_all > l->count ? " Not all lines are drawn." : "");
  }
  XB_ADD(figure->source, "%s; %s cache", l->file->name, first->cache);
}

static void chart(xb_page *page, xb_lines *l)
{
  xb_figure figure;
  if (!(l->most > l->least) || page->code >= 0 || !xb_figure_begin(page, &figure))
    return;
  l->scale = xb_scale_find(page->view, l->like, l->axis < 0 ? xb_same_question : xb_same_size, l->axis,
                           l->only ? BEYOND / 10 : BEYOND);
  if (xb_chart_begin(&figure.chart, HEIGHT, 0.115, l->only ? 0.95 : 0.97, 1 - 26. / HEIGHT, 52. / HEIGHT)) {
    xb_bandwidth_draw(&figure, l);
    tabulate(&figure, l);
    say(&figure, l);
  }
  xb_figure_end(page, &figure, figure.details);
}

/* Draws one chart or, if it would have too many lines, one chart per target. */
static void charts(xb_page *page, const xb_view_file *file, size_t from, size_t to, int axis)
{
  xb_lines l = xb_lines_find(file, from, to, NULL, axis);
  if (l.in_all <= MOST_TOGETHER) {
    chart(page, &l);
    return;
  }
  for (size_t t = 0; t < file->document->device_count; t++) {
    l = xb_lines_find(file, from, to, &file->targets[t], axis);
    chart(page, &l);
  }
}

void xb_bandwidth(xb_page *page, const xb_view_file *file, size_t from, size_t to)
{
  charts(page, file, from, to, -1);
}

void xb_axes(xb_page *page, const xb_view_file *file, size_t from, size_t to)
{
  for (size_t i = from, end; i < to; i = end) {
    end = xb_view_end(file, i, xb_same_size);
    for (size_t a = 0; a < file->cells[i]->at.count; a++)
      charts(page, file, i, end, (int)a);
  }
}
