/* Lines: the first metric against size or an axis, a line for each variant and API; against size with the cache's size
 * and the roofs, against an axis with what the model predicts from the value at the axis' base. */
#include "report/html/bandwidth.h"

#include <math.h>
#include <string.h>

enum { HEIGHT = 300, MOST_TOGETHER = 6 };

bool xb_line_has(const xb_lines *l, const xb_result *cell)
{
  const xb_result *first = l->file->cells[l->from];
  bool same = (!l->only || xb_view_target_of(l->file, cell) == l->only) && l->axis < (int)cell->at.count;
  for (size_t a = 0; l->axis >= 0 && a < cell->at.count && same; a++)
    same = (int)a == l->axis || cell->at.values[a].value == first->at.values[a].value;
  return same;
}

bool xb_line_is(const xb_lines *l, size_t k, const xb_result *cell)
{
  return xb_view_target_of(l->file, cell) == l->at[k].target && !strcmp(cell->variant, l->at[k].variant) &&
         xb_line_has(l, cell);
}

double xb_line_x(const xb_lines *l, const xb_result *cell)
{
  return l->axis < 0 ? (double)cell->size : (double)cell->at.values[l->axis].value;
}

double xb_predicted(const xb_result *cell)
{
  return xb_result_value(cell) * cell->model.predicted / cell->model.measured;
}

static void find_roofs(xb_lines *l, const xb_result *cell)
{
  const xb_view_target *target = xb_view_target_of(l->file, cell);
  l->peak = isfinite(target->peak) && xb_is_bandwidth(cell) ? target->peak : l->peak;
  l->cache = isfinite(target->cache) ? target->cache : l->cache;
  l->copy = fmax(l->copy, xb_view_copy(cell));
  l->bytes_each = cell->bytes ? (double)cell->bytes / (double)cell->size : l->bytes_each;
}

static xb_lines survey(const xb_view_file *file, size_t from, size_t to, const xb_view_target *only, int axis)
{
  xb_lines l = {.file = file, .from = from, .to = to, .only = only, .axis = axis, .least = INFINITY, .low = INFINITY};
  l.across = axis < 0 ? "size" : file->cells[from]->at.values[axis].axis;
  l.peak = l.copy = l.cache = l.bytes_each = NAN;
  for (size_t i = from; i < to; i++) {
    const xb_result *cell = file->cells[i];
    if (!xb_has_value(cell) || !xb_line_has(&l, cell))
      continue;
    size_t k = 0;
    while (k < l.count && !xb_line_is(&l, k, cell))
      k++;
    if (k == l.count && l.count < XB_SERIES_MOST)
      l.at[l.count++] = (xb_line){cell->variant, xb_view_target_of(file, cell)};
    else if (k == l.count)
      l.in_all++;
    l.least = fmin(l.least, xb_line_x(&l, cell));
    l.most = fmax(l.most, xb_line_x(&l, cell));
    l.low = fmin(l.low, xb_result_value(cell));
    l.gbps = fmax(l.gbps, axis < 0 ? xb_result_value(cell) : fmax(xb_result_value(cell), xb_predicted(cell)));
    l.metric = &cell->metrics.values[0];
    l.model |= axis >= 0 && xb_predicted(cell) > 0;
    if (axis < 0)
      find_roofs(&l, cell);
  }
  l.in_all += l.count;
  return l;
}

/* ---- What is said ----------------------------------------------------------------------------------------------- */

static void name_x(const xb_lines *l, const xb_result *cell, char out[XB_NAME])
{
  if (l->axis < 0)
    xb_name_size(cell, out);
  else
    snprintf(out, XB_NAME, "%s %.0f", cell->at.values[l->axis].axis, xb_line_x(l, cell));
}

static void tabulate(xb_figure *figure, const xb_lines *l)
{
  xb_grid *grid = &figure->grid;
  const char *const unit = l->metric->unit;
  const char *const heads[] = {l->across,   "variant",   "API",       unit,        "time, us",
                               "% of peak", "% of copy", "% of base", "predicted", "result"};
  char x[XB_NAME], value[XB_NAME];
  for (size_t c = 0; c < (l->axis < 0 ? 7 : 10); c++)
    xb_grid_column(grid, heads[c], c > 2 && c < 9);
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    if (!xb_line_has(l, cell))
      continue;
    name_x(l, cell, x);
    xb_name_figure(xb_result_value(cell), value);
    xb_grid_text(grid, x);
    xb_grid_text(grid, cell->variant);
    xb_grid_text(grid, xb_view_target_of(l->file, cell)->name);
    xb_grid_number(grid, -1, xb_result_value(cell));
    xb_grid_number(grid, -1, cell->median_ns / 1e3);
    xb_grid_number(grid, 1, cell->percent_of_peak);
    xb_grid_number(grid, 1, cell->percent_of_copy);
    if (l->axis >= 0) {
      xb_grid_number(grid, 1, 100 * cell->model.measured);
      xb_grid_number(grid, 1, 100 * cell->model.predicted);
      xb_grid_text(grid, cell->outcome == XB_CELL_OK ? "ok" : xb_result_why(cell));
    }
    if (xb_has_value(cell))
      XB_ADD(figure->details, "%s %s: %s %s. ", x, xb_view_target_of(l->file, cell)->name, value, unit);
  }
}

/* The best at the far end; against an axis, from the lowest to the highest. */
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
      XB_ADD(figure->takeaway, "; least, at %s: %s", x, low_value);
    XB_ADD(figure->takeaway, ".%s", l->in_all > l->count ? " Not all lines are drawn." : "");
  }
  XB_ADD(figure->source, "%s; %s cache", l->file->name, first->cache);
}

static void chart(xb_page *page, const xb_lines *l)
{
  xb_figure figure;
  if (!(l->most > l->least) || page->code >= 0 || !xb_figure_begin(page, &figure))
    return;
  if (xb_chart_begin(&figure.chart, HEIGHT, 0.115, l->only ? 0.95 : 0.97, 1 - 26. / HEIGHT, 52. / HEIGHT)) {
    xb_bandwidth_draw(&figure, l);
    tabulate(&figure, l);
    say(&figure, l);
  }
  xb_figure_end(page, &figure, figure.details);
}

/* One chart; with too many lines for one, a chart for each target. */
static void charts(xb_page *page, const xb_view_file *file, size_t from, size_t to, int axis)
{
  xb_lines l = survey(file, from, to, NULL, axis);
  if (l.in_all <= MOST_TOGETHER) {
    chart(page, &l);
    return;
  }
  for (size_t t = 0; t < file->document->device_count; t++) {
    l = survey(file, from, to, &file->targets[t], axis);
    chart(page, &l);
  }
}

void xb_bandwidth(xb_page *page, const xb_view_file *file, size_t from, size_t to)
{
  charts(page, file, from, to, -1);
}

bool xb_axis_varies(const xb_view_file *file, size_t from, size_t to)
{
  for (size_t i = from + 1; i < to; i++)
    if (xb_same_size(file->cells[i], file->cells[i - 1]) && xb_compare_at(file->cells[i], file->cells[i - 1]))
      return true;
  return false;
}

void xb_axes(xb_page *page, const xb_view_file *file, size_t from, size_t to)
{
  for (size_t i = from, end; i < to; i = end) {
    end = xb_view_end(file, i, xb_same_size);
    for (size_t a = 0; a < file->cells[i]->at.count; a++)
      charts(page, file, i, end, (int)a);
  }
}
