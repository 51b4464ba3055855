/* Lines: the first metric against an axis of the benchmark, a line for each variant and API, and what its model
 * predicts from the value at the axis' base. */
#include "report/html/series.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { HEIGHT = 300 };

/* Cells [from, to) of a file: of one size. */
typedef struct sweep {
  const xb_view_file *file;
  size_t from, to, axis;
  struct {
    const char *variant;
    const xb_view_target *target;
  } lines[XB_SERIES_MOST];
  size_t line_count;
  double least, most, top, peak;
  bool model;
} sweep;

static bool drawn(const xb_result *cell)
{
  return xb_result_value(cell) > 0;
}

static double at(const sweep *s, const xb_result *cell)
{
  return (double)cell->at.values[s->axis].value;
}

static double predicted(const xb_result *cell)
{
  return xb_result_value(cell) * cell->model.predicted / cell->model.measured;
}

/* Of several axes that vary, a chart shows one; the others are where they are in the first cell. */
static bool shown(const sweep *s, const xb_result *cell)
{
  const xb_result *first = s->file->cells[s->from];
  bool same = cell->at.count == first->at.count && s->axis < cell->at.count;
  for (size_t a = 0; a < cell->at.count && same; a++)
    same = a == s->axis || cell->at.values[a].value == first->at.values[a].value;
  return same;
}

static size_t line_of(const sweep *s, const xb_result *cell)
{
  size_t k = 0;
  while (k < s->line_count &&
         (s->lines[k].target != xb_view_target_of(s->file, cell) || strcmp(s->lines[k].variant, cell->variant) != 0))
    k++;
  return k;
}

static void survey(sweep *s)
{
  s->least = INFINITY;
  s->peak = NAN;
  for (size_t i = s->from; i < s->to; i++) {
    const xb_result *cell = s->file->cells[i];
    if (!shown(s, cell) || !drawn(cell))
      continue;
    const size_t k = line_of(s, cell);
    if (k == s->line_count && k < XB_SERIES_MOST) {
      s->lines[k].variant = cell->variant;
      s->lines[s->line_count++].target = xb_view_target_of(s->file, cell);
    }
    s->least = fmin(s->least, at(s, cell));
    s->most = fmax(s->most, at(s, cell));
    s->top = fmax(s->top, fmax(xb_result_value(cell), predicted(cell))); /* fmax leaves NAN out */
    s->model |= predicted(cell) > 0;
  }
}

static void draw_line(xb_figure *figure, const sweep *s, size_t k, bool model)
{
  fprintf(figure->chart.script, "$%s%zu << EOD\n", model ? "model" : "line", k);
  for (size_t i = s->from; i < s->to; i++) {
    const xb_result *cell = s->file->cells[i];
    const double value = model ? predicted(cell) : xb_result_value(cell);
    if (shown(s, cell) && line_of(s, cell) == k && value > 0)
      fprintf(figure->chart.script, "%.9g %.9g\n", at(s, cell), value);
  }
  fputs("EOD\n", figure->chart.script);
}

static void draw(xb_figure *figure, const sweep *s)
{
  const xb_result *first = s->file->cells[s->from];
  FILE *script = figure->chart.script;
  char text[2 * XB_NAME], name[XB_NAME];
  fprintf(script, "set yrange [0:%.9g]\n", s->top * 1.06);
  xb_chart_marks(&figure->chart, 'y', s->top);
  xb_chart_marks(&figure->chart, 'x', s->most);
  fprintf(script, "set xrange [%.9g:%.9g]\n", s->least - 0.02 * (s->most - s->least),
          s->most + 0.02 * (s->most - s->least));
  xb_name_metric(first, name);
  xb_chart_axes(&figure->chart, first->at.values[s->axis].axis, name);
  for (size_t k = 0; k < s->line_count; k++) {
    draw_line(figure, s, k, false);
    if (s->model)
      draw_line(figure, s, k, true);
    xb_name_variant(s->lines[k].variant, name);
    snprintf(text, sizeof text, "%s, %s", name, s->lines[k].target->name);
    xb_figure_legend(figure, XB_MARK_POINT, s->lines[k].target->slot, (int)k, text);
  }
  if (s->model) {
    snprintf(text, sizeof text, "predicted by the model: %s", first->model.unit ? first->model.unit : "");
    xb_figure_legend(figure, XB_MARK_DASHES, 0, 0, text);
  }
  for (size_t k = 0; k < s->line_count; k++) {
    const int colour = XB_COLOUR_SERIES + s->lines[k].target->slot;
    fprintf(script, "%s $line%zu using 1:2 with linespoints lw 2 pt %d ps 0.55 lc rgb '#0000%02x'", k ? "," : "plot", k,
            xb_point_type((int)k), colour);
    if (s->model)
      fprintf(script, ", $model%zu using 1:2 with lines lw 1.5 dt '-' lc rgb '#0000%02x'", k, colour);
  }
  fputs("\n", script);
}

static void tabulate(xb_figure *figure, const sweep *s, char *details, size_t bytes)
{
  const xb_result *first = s->file->cells[s->from];
  const char *const heads[] = {first->at.values[s->axis].axis,
                               "variant",
                               "API",
                               first->metrics.count ? first->metrics.values[0].unit : "value",
                               "time, us",
                               "% of base, measured",
                               "predicted",
                               "result"};
  char value[XB_NAME];
  for (size_t c = 0; c < 8; c++)
    xb_grid_column(&figure->grid, heads[c], !c || (c > 2 && c < 7));
  for (size_t i = s->from; i < s->to; i++) {
    const xb_result *cell = s->file->cells[i];
    if (!shown(s, cell))
      continue;
    xb_grid_number(&figure->grid, 0, at(s, cell));
    xb_grid_text(&figure->grid, cell->variant);
    xb_grid_text(&figure->grid, xb_view_target_of(s->file, cell)->name);
    xb_grid_number(&figure->grid, -1, xb_result_value(cell));
    xb_grid_number(&figure->grid, -1, cell->median_ns / 1e3);
    xb_grid_number(&figure->grid, 1, 100 * cell->model.measured);
    xb_grid_number(&figure->grid, 1, 100 * cell->model.predicted);
    xb_grid_text(&figure->grid, cell->outcome == XB_CELL_OK ? "ok" : xb_result_why(cell));
    xb_name_figure(xb_result_value(cell), value);
    xb_append(details, bytes, "%.0f %s: %s. ", at(s, cell), xb_view_target_of(s->file, cell)->name,
              drawn(cell) ? value : xb_outcome_words(cell));
  }
}

static void say(xb_figure *figure, const sweep *s)
{
  const xb_result *first = s->file->cells[s->from], *low = NULL, *high = NULL;
  char question[XB_NAME], a[XB_NAME], b[XB_NAME];
  for (size_t i = s->from; i < s->to; i++) {
    const xb_result *cell = s->file->cells[i];
    if (!shown(s, cell) || !drawn(cell))
      continue;
    low = !low || xb_result_value(cell) < xb_result_value(low) ? cell : low;
    high = !high || xb_result_value(cell) > xb_result_value(high) ? cell : high;
  }
  xb_name_size(first, question);
  snprintf(figure->title, sizeof figure->title, "%s, %s %s: %s", first->benchmark, question, first->dtype,
           first->at.values[s->axis].axis);
  xb_name_figure(xb_result_value(low), a);
  xb_name_figure(xb_result_value(high), b);
  snprintf(figure->takeaway, sizeof figure->takeaway, "From %s %s at %.0f to %s at %.0f.", a, xb_result_unit(low),
           at(s, low), b, at(s, high));
  snprintf(figure->source, sizeof figure->source, "%s; %s cache", s->file->name, first->cache);
}

static void chart(xb_page *page, sweep *s)
{
  xb_figure figure;
  char details[1400] = "";
  survey(s);
  if (!(s->most > s->least) || page->code >= 0 || !xb_figure_begin(page, &figure))
    return;
  if (xb_chart_begin(&figure.chart, HEIGHT, 0.115, 0.97, 1 - 26. / HEIGHT, 52. / HEIGHT)) {
    draw(&figure, s);
    tabulate(&figure, s, details, sizeof details);
    say(&figure, s);
  }
  xb_figure_end(page, &figure, details);
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
      chart(page, &(sweep){.file = file, .from = i, .to = end, .axis = a});
  }
}
