#include "page/charts/axes.h"
#include "page/charts/charts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LABEL_HEIGHT = 0.055; /* as a part of the height of the axes */

static void draw_cache(xb_figure *figure, const xb_lines *l)
{
  char text[2 * XB_NAME], size[XB_NAME];
  const double end = l->cache / l->bytes_each, left = l->scale.least / 1.35, right = l->scale.most * 1.35;
  if (!(end > left && end < right))
    return;
  fprintf(figure->chart.script,
          "set object rectangle from %.9g, graph 0 to %.9g, graph 1 behind fc rgb '#0000%02x' fs solid 1 noborder\n"
          "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead back lw 1 lc rgb '#0000%02x'\n",
          left, end, XB_COLOUR_BAND, end, end, XB_COLOUR_COPY);
  xb_name_bytes(l->cache, size);
  snprintf(text, sizeof text, "%s cache", size);
  const char *side = log(end / left) > 0.3 * log(right / left) ? "right offset -0.5,0" : "left offset 0.5,0";
  xb_chart_put(&figure->chart, XB_COLOUR_MUTED, text, "%.9g, graph 0.05 %s font \",11\"", end, side);
  xb_figure_legend(figure, XB_MARK_AREA, 0, 0, "fits in the last-level cache");
}

/* The measured copy differs by size. */
static void draw_copy(FILE *script, const xb_lines *l)
{
  fputs("$copy << EOD\n", script);
  for (size_t i = l->from, end; i < l->to; i = end) {
    double copy = NAN;
    for (end = i; end < l->to && xb_same_size(l->file->cells[i], l->file->cells[end]); end++)
      if (xb_line_has(l, l->file->cells[end]))
        copy = fmax(copy, xb_view_copy(l->file->cells[end]));
    if (isfinite(copy))
      fprintf(script, "%.9g %.9g\n", (double)l->file->cells[i]->size, copy);
  }
  fputs("EOD\n", script);
}

static void draw_points(FILE *script, const xb_lines *l, size_t k, bool model)
{
  bool open = false;
  fprintf(script, "$%s%zu << EOD\n", model ? "model" : "line", k);
  for (int odd = 0; odd < 2; odd++) /* non-square matrices are separate points: a gap before each */
    for (size_t i = l->from; i < l->to; i++) {
      const xb_result *cell = l->file->cells[i];
      const double value = model ? xb_predicted(cell) : xb_result_value(cell);
      if (!(value > 0) || !xb_line_is(l, k, cell) || (l->axis < 0 && cell->rows != cell->columns) != odd)
        continue;
      fprintf(script, "%s%.9g %.9g\n", odd && open ? "\n" : "", xb_line_x(l, cell), value);
      open = true;
    }
  fputs("EOD\n", script);
}

static void draw_line(xb_figure *figure, const xb_lines *l, size_t k)
{
  char text[2 * XB_NAME], name[XB_NAME];
  draw_points(figure->chart.script, l, k, false);
  if (l->model)
    draw_points(figure->chart.script, l, k, true);
  xb_name_variant(l->at[k].variant, name);
  snprintf(text, sizeof text, "%s%s%s", name, l->only ? "" : ", ", l->only ? "" : l->at[k].target->name);
  xb_figure_legend(figure, XB_MARK_POINT, xb_line_slot(l, k), (int)k, text);
}

static int by_height(const void *a, const void *b)
{
  const xb_result *x = *(const xb_result *const *)a, *y = *(const xb_result *const *)b;
  if (x->size != y->size)
    return x->size < y->size ? -1 : 1;
  return (xb_result_value(x) > xb_result_value(y)) - (xb_result_value(x) < xb_result_value(y));
}

static int by_number(const void *a, const void *b)
{
  const xb_result *x = *(const xb_result *const *)a, *y = *(const xb_result *const *)b;
  return (x->variant_number > y->variant_number) - (x->variant_number < y->variant_number);
}

/* "4-6, 9". Sorts `ends` by variant number. */
static void name_numbers(const xb_result **ends, size_t count, char out[XB_NAME])
{
  *out = 0;
  qsort(ends, count, sizeof(*ends), by_number);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && ends[end]->variant_number == ends[end - 1]->variant_number + 1; end++)
      ;
    end = end - i < 3 ? i + 1 : end;
    xb_append(out, XB_NAME, "%s%" PRIu64, i ? ", " : "", ends[i]->variant_number);
    if (end - i > 1)
      xb_append(out, XB_NAME, "-%" PRIu64, ends[end - 1]->variant_number);
  }
}

/* Labels the lines with their variant numbers, at their right ends. Lines that end close together share one label;
 * `room` is the smallest factor between two labels. */
static void number_lines(xb_figure *figure, const xb_lines *l, double room)
{
  const xb_result *ends[XB_LINES_MOST];
  char text[XB_NAME];
  size_t count = 0;
  for (size_t k = 0; k < l->count; k++) {
    const xb_result *last = NULL;
    for (size_t i = l->from; i < l->to; i++)
      if (xb_line_is(l, k, l->file->cells[i]) && xb_has_value(l->file->cells[i]))
        last = l->file->cells[i];
    if (last)
      ends[count++] = last;
  }
  qsort(ends, count, sizeof(*ends), by_height);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && ends[end]->size == ends[i]->size &&
                      xb_result_value(ends[end]) < room * xb_result_value(ends[end - 1]);)
      end++;
    const double x = xb_line_x(l, ends[i]), height = sqrt(xb_result_value(ends[i]) * xb_result_value(ends[end - 1]));
    name_numbers(ends + i, end - i, text);
    xb_chart_put(&figure->chart, XB_COLOUR_INK, text, "%.9g,%.9g left offset 1,0 font \",11\"", x, height);
  }
}

/* Labels the points of non-square matrices with their shape, once per shape. */
static void name_odd(xb_figure *figure, const xb_lines *l)
{
  char size[XB_NAME];
  for (size_t i = l->from, end; i < l->to; i = end) {
    const xb_result *lowest = NULL;
    for (end = i; end < l->to && xb_same_size(l->file->cells[i], l->file->cells[end]); end++)
      if (xb_has_value(l->file->cells[end]) &&
          (!lowest || xb_result_value(l->file->cells[end]) < xb_result_value(lowest)))
        lowest = l->file->cells[end];
    if (!lowest || lowest->rows == lowest->columns || !lowest->rows)
      continue;
    xb_name_size(lowest, size);
    xb_chart_put(&figure->chart, XB_COLOUR_MUTED, size, "%.9g,%.9g center offset 0,-0.9 font \",11\"",
                 (double)lowest->size, xb_result_value(lowest));
  }
}

static void draw_axes(xb_figure *figure, const xb_lines *l, double top)
{
  char unit[XB_NAME];
  const double space = 0.02 * (l->scale.most - l->scale.least);
  snprintf(unit, sizeof unit, "%s (log scale)", l->metric->unit);
  if (l->axis < 0)
    xb_size_axis(&figure->chart, l->scale.least, l->scale.most);
  else {
    xb_chart_marks(&figure->chart, 'x', l->scale.most);
    fprintf(figure->chart.script, "set xrange [%.9g:%.9g]\n", l->scale.least - space, l->scale.most + space);
  }
  if (l->only)
    xb_decade_axis(&figure->chart, l->scale.low / 1.3, top * 1.3);
  else {
    fprintf(figure->chart.script, "set yrange [0:%.9g]\n", top * 1.06);
    xb_chart_marks(&figure->chart, 'y', top);
  }
  xb_chart_axes(&figure->chart, l->axis < 0 ? "elements (log scale)" : l->across, l->only ? unit : l->metric->unit);
}

void xb_bandwidth_draw(xb_figure *figure, const xb_lines *l)
{
  FILE *script = figure->chart.script;
  const double top = l->scale.top;
  const bool copy_shown = l->copy <= top, peak_shown = l->peak <= top;
  draw_axes(figure, l, top);
  for (size_t k = 0; k < l->count; k++)
    draw_line(figure, l, k);
  if (l->axis < 0)
    name_odd(figure, l);
  if (l->model)
    xb_figure_legend(figure, XB_MARK_DASHES, 0, 0, "predicted by the model");
  if (l->only)
    number_lines(figure, l, pow(1.69 * top / l->scale.low, LABEL_HEIGHT));
  xb_figure_roof(figure, l->peak, peak_shown, "theoretical peak,", XB_MARK_LINE);
  xb_figure_roof(figure, l->copy, copy_shown, "measured copy, up to", XB_MARK_DASHES);
  if (peak_shown)
    fprintf(script, "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead back lw 1.5 lc rgb '#0000%02x'\n",
            l->peak, l->peak, XB_COLOUR_PEAK);
  draw_copy(script, l);
  draw_cache(figure, l);
  for (size_t k = 0; k < l->count; k++)
    fprintf(script, "%s $line%zu using 1:2 with linespoints lw %s pt %d ps 0.8 lc rgb '#0000%02x'%s", k ? "," : "plot",
            k, l->only ? "1.5" : "2", xb_point_type((int)k), XB_COLOUR_SERIES + xb_line_slot(l, k),
            (l->only ? k >= XB_VIEW_SLOTS : !l->model && k % 4 >= 2) ? " dt '-'" : "");
  for (size_t k = 0; k < l->count && l->model; k++)
    fprintf(script, ", $model%zu using 1:2 with lines lw 1.5 dt '-' lc rgb '#0000%02x'", k,
            XB_COLOUR_SERIES + xb_line_slot(l, k));
  if (copy_shown && isfinite(l->copy))
    fprintf(script, ", $copy using 1:2 with lines lw 1.5 dt '-' lc rgb '#0000%02x'", XB_COLOUR_COPY);
  fputs("\n", script);
}
