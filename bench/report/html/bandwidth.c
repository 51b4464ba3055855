/* Lines: bandwidth against size, a line for each variant and API, with the cache's size and the roof. */
#include "report/html/bandwidth.h"

#include <math.h>
#include <string.h>

enum { HEIGHT = 300, MOST_TOGETHER = 6 };
static bool drawn(const xb_result *cell)
{
  return xb_result_value(cell) > 0;
}

static xb_lines survey(const xb_view_file *file, size_t from, size_t to, const xb_view_target *only)
{
  xb_lines l = {
      .only = only, .least = INFINITY, .low = INFINITY, .peak = NAN, .copy = NAN, .cache = NAN, .bytes_each = NAN};
  for (size_t i = from; i < to; i++) {
    const xb_result *cell = file->cells[i];
    const xb_view_target *target = xb_view_target_of(file, cell);
    if (!drawn(cell) || (only && only != target))
      continue;
    size_t k = 0;
    while (k < l.count && (l.at[k].target != target || strcmp(l.at[k].variant, cell->variant) != 0))
      k++;
    if (k == l.count && l.count < XB_SERIES_MOST)
      l.at[l.count++] = (xb_line){cell->variant, target};
    else if (k == l.count)
      l.in_all++;
    l.least = fmin(l.least, (double)cell->size);
    l.most = fmax(l.most, (double)cell->size);
    l.low = fmin(l.low, xb_result_value(cell));
    l.gbps = fmax(l.gbps, xb_result_value(cell));
    l.peak = isfinite(target->peak) && xb_is_bandwidth(cell) ? target->peak : l.peak;
    l.metric = &cell->metrics.values[0];
    l.cache = isfinite(target->cache) ? target->cache : l.cache;
    l.copy = fmax(l.copy, xb_view_copy(cell));
    l.bytes_each = cell->bytes ? (double)cell->bytes / (double)cell->size : l.bytes_each;
  }
  l.in_all += l.count;
  return l;
}

/* ---- What is said ----------------------------------------------------------------------------------------------- */

static void tabulate(xb_figure *figure, const xb_lines *l, const xb_view_file *file, size_t from, size_t to,
                     char *details, size_t bytes)
{
  const char *const heads[] = {"size", "variant", "API", l->metric->unit, "time, us", "% of peak", "% of copy"};
  char size[XB_NAME], value[XB_NAME];
  for (size_t c = 0; c < 7; c++)
    xb_grid_column(&figure->grid, heads[c], c > 2);
  for (size_t i = from; i < to; i++) {
    const xb_result *cell = file->cells[i];
    if (l->only && xb_view_target_of(file, cell) != l->only)
      continue;
    xb_name_size(cell, size);
    xb_name_figure(xb_result_value(cell), value);
    xb_grid_text(&figure->grid, size);
    xb_grid_text(&figure->grid, cell->variant);
    xb_grid_text(&figure->grid, xb_view_target_of(file, cell)->name);
    xb_grid_number(&figure->grid, -1, xb_result_value(cell));
    xb_grid_number(&figure->grid, -1, cell->median_ns / 1e3);
    xb_grid_number(&figure->grid, 1, cell->percent_of_peak);
    xb_grid_number(&figure->grid, 1, cell->percent_of_copy);
    if (drawn(cell))
      xb_append(details, bytes, "%s %s: %s %s. ", size, xb_view_target_of(file, cell)->name, value, l->metric->unit);
  }
}

static void say(xb_figure *figure, const xb_lines *l, const xb_view_file *file, size_t from, size_t to)
{
  char size[XB_NAME], value[XB_NAME];
  const xb_result *first = file->cells[from], *last = NULL;
  snprintf(figure->title, sizeof figure->title, "%s, %s%s%s: %s against size", first->benchmark, first->dtype,
           l->only ? ", " : "", l->only ? l->only->name : "", l->metric->name);
  for (size_t i = from; i < to; i++) /* the best at the largest size */
    if (drawn(file->cells[i]) && (!l->only || xb_view_target_of(file, file->cells[i]) == l->only) &&
        (!last || file->cells[i]->size > last->size || xb_result_value(file->cells[i]) > xb_result_value(last)))
      last = file->cells[i];
  if (last) {
    xb_name_size(last, size);
    xb_name_figure(xb_result_value(last), value);
    xb_append(figure->takeaway, sizeof figure->takeaway, "At %s: %s %s through %s", size, value, l->metric->unit,
              xb_view_target_of(file, last)->name);
    if (last->percent_of_peak > 0)
      xb_append(figure->takeaway, sizeof figure->takeaway, ", %.0f %% of the theoretical peak", last->percent_of_peak);
    xb_append(figure->takeaway, sizeof figure->takeaway, ".%s",
              l->in_all > l->count ? " Not all lines are drawn." : "");
  }
  snprintf(figure->source, sizeof figure->source, "%s; %s cache", file->name, first->cache);
}

static void chart(xb_page *page, const xb_view_file *file, size_t from, size_t to, const xb_lines *l)
{
  xb_figure figure;
  char details[1400] = "";
  if (!(l->most > l->least) || page->code >= 0 || !xb_figure_begin(page, &figure))
    return;
  if (xb_chart_begin(&figure.chart, HEIGHT, 0.115, l->only ? 0.95 : 0.97, 1 - 26. / HEIGHT, 52. / HEIGHT)) {
    xb_bandwidth_draw(&figure, l, file, from, to);
    tabulate(&figure, l, file, from, to, details, sizeof details);
    say(&figure, l, file, from, to);
  }
  xb_figure_end(page, &figure, details);
}

/* One chart; with too many lines for one, a chart for each target. */
void xb_bandwidth(xb_page *page, const xb_view_file *file, size_t from, size_t to)
{
  xb_lines l = survey(file, from, to, NULL);
  if (l.in_all <= MOST_TOGETHER) {
    chart(page, file, from, to, &l);
    return;
  }
  for (size_t t = 0; t < file->document->device_count; t++) {
    l = survey(file, from, to, &file->targets[t]);
    chart(page, file, from, to, &l);
  }
}
