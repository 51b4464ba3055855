#include "report/html/bandwidth.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BEYOND = 0.35; /* a roof this far above all points is only named */

static const double LABEL_HEIGHT = 0.055; /* of the height of the axes */

static bool drawn(const xb_result *cell)
{
  return xb_result_value(cell) > 0;
}

static void draw_cache(xb_figure *figure, const xb_lines *l)
{
  char text[2 * XB_NAME], size[XB_NAME];
  const double end = l->cache / l->bytes_each, left = l->least / 1.35, right = l->most * 1.35;
  if (!(end > left && end < right))
    return;
  fprintf(figure->chart.script,
          "set object rectangle from %.9g, graph 0 to %.9g, graph 1 behind fc rgb '#0000%02x' fs solid 1 noborder\n"
          "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead back lw 1 lc rgb '#0000%02x'\n",
          left, end, XB_COLOUR_BAND, end, end, XB_COLOUR_COPY);
  xb_name_bytes(l->cache, size);
  snprintf(text, sizeof text, "%s cache", size);
  if (log(end / left) > 0.3 * log(right / left))
    xb_chart_put(&figure->chart, XB_COLOUR_MUTED, text, "%.9g, graph 0.05 right offset -0.5,0 font \",11\"", end);
  else
    xb_chart_put(&figure->chart, XB_COLOUR_MUTED, text, "%.9g, graph 0.05 left offset 0.5,0 font \",11\"", end);
  xb_figure_legend(figure, XB_MARK_AREA, 0, 0, "fits in the last-level cache");
}

static void name_roof(xb_figure *figure, double value, bool shown, const char *what, xb_mark mark)
{
  char text[2 * XB_NAME], size[XB_NAME];
  xb_name_figure(value, size);
  snprintf(text, sizeof text, "%s %s GB/s%s", what, size, shown ? "" : ", beyond the chart");
  if (value > 0)
    xb_figure_legend(figure, mark, 0, 0, text);
}

/* The measured copy is another one at each size. */
static void draw_copy(FILE *script, const xb_lines *l, const xb_view_file *file, size_t from, size_t to)
{
  fputs("$copy << EOD\n", script);
  for (size_t i = from, end; i < to; i = end) {
    double copy = NAN;
    for (end = i; end < to && xb_same_size(file->cells[i], file->cells[end]); end++)
      if (!l->only || xb_view_target_of(file, file->cells[end]) == l->only)
        copy = fmax(copy, xb_view_copy(file->cells[end]));
    if (isfinite(copy))
      fprintf(script, "%.9g %.9g\n", (double)file->cells[i]->size, copy);
  }
  fputs("EOD\n", script);
}

static void draw_line(xb_figure *figure, const xb_lines *l, const xb_view_file *file, size_t from, size_t to, size_t k)
{
  char text[2 * XB_NAME], name[XB_NAME];
  bool open = false;
  fprintf(figure->chart.script, "$line%zu << EOD\n", k);
  for (int odd = 0; odd < 2; odd++) { /* a matrix that is not square is no point of the line: a gap before each */
    for (size_t i = from; i < to; i++) {
      const xb_result *cell = file->cells[i];
      if (xb_view_target_of(file, cell) != l->at[k].target || strcmp(cell->variant, l->at[k].variant) != 0 ||
          !drawn(cell) || (cell->rows != cell->columns) != odd)
        continue;
      if (odd && open)
        fputs("\n", figure->chart.script);
      fprintf(figure->chart.script, "%.9g %.9g\n", (double)cell->size, xb_result_value(cell));
      open = true;
    }
  }
  fputs("EOD\n", figure->chart.script);
  xb_name_variant(l->at[k].variant, name);
  snprintf(text, sizeof text, "%s%s%s", name, l->only ? "" : ", ", l->only ? "" : l->at[k].target->name);
  xb_figure_legend(figure, XB_MARK_POINT, l->at[k].target->slot, (int)k, text);
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

/* "4-6, 9"; leaves them in the order of their numbers. */
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

/* Rungs of a ladder by their numbers, at the right end of their lines; one label for those that end together. `room`:
 * by which factor labels have to lie apart. */
static void number_lines(xb_figure *figure, const xb_lines *l, const xb_view_file *file, size_t from, size_t to,
                         double room)
{
  const xb_result *ends[XB_SERIES_MOST];
  char text[XB_NAME];
  size_t count = 0;
  for (size_t k = 0; k < l->count; k++) {
    const xb_result *last = NULL;
    for (size_t i = from; i < to; i++)
      if (xb_view_target_of(file, file->cells[i]) == l->at[k].target &&
          !strcmp(file->cells[i]->variant, l->at[k].variant) && drawn(file->cells[i]))
        last = file->cells[i];
    if (last)
      ends[count++] = last;
  }
  qsort(ends, count, sizeof(*ends), by_height);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && ends[end]->size == ends[i]->size &&
                      xb_result_value(ends[end]) < room * xb_result_value(ends[end - 1]);)
      end++;
    const double size = (double)ends[i]->size, height = sqrt(xb_result_value(ends[i]) * xb_result_value(ends[end - 1]));
    name_numbers(ends + i, end - i, text);
    xb_chart_put(&figure->chart, XB_COLOUR_INK, text, "%.9g,%.9g left offset 0.7,0 font \",11\"", size, height);
  }
}

/* A matrix that is not square stands beside the line: its shape is written to it, once. */
static void name_odd(xb_figure *figure, const xb_view_file *file, size_t from, size_t to)
{
  char size[XB_NAME];
  for (size_t i = from, end; i < to; i = end) {
    const xb_result *lowest = NULL;
    for (end = i; end < to && xb_same_size(file->cells[i], file->cells[end]); end++)
      if (drawn(file->cells[end]) && (!lowest || xb_result_value(file->cells[end]) < xb_result_value(lowest)))
        lowest = file->cells[end];
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
  snprintf(unit, sizeof unit, "%s (log scale)", l->metric->unit);
  xb_size_axis(&figure->chart, l->least, l->most);
  if (l->only)
    xb_decade_axis(&figure->chart, l->low / 1.3, top * 1.3);
  else {
    fprintf(figure->chart.script, "set yrange [0:%.9g]\n", top * 1.06);
    xb_chart_marks(&figure->chart, 'y', top);
  }
  xb_chart_axes(&figure->chart, "elements (log scale)", l->only ? unit : l->metric->unit);
}

void xb_bandwidth_draw(xb_figure *figure, const xb_lines *l, const xb_view_file *file, size_t from, size_t to)
{
  FILE *script = figure->chart.script;
  const double beyond = l->only ? BEYOND / 10 : BEYOND;
  const bool copy_shown = l->gbps > beyond * l->copy;
  const double most = copy_shown ? fmax(l->gbps, l->copy) : l->gbps;
  const bool peak_shown = most > beyond * l->peak;
  const double top = peak_shown ? fmax(most, l->peak) : most;
  draw_axes(figure, l, top);
  for (size_t k = 0; k < l->count; k++)
    draw_line(figure, l, file, from, to, k);
  name_odd(figure, file, from, to);
  if (l->only)
    number_lines(figure, l, file, from, to, pow(1.69 * top / l->low, LABEL_HEIGHT));
  name_roof(figure, l->peak, peak_shown, "theoretical peak,", XB_MARK_LINE);
  name_roof(figure, l->copy, copy_shown, "measured copy, up to", XB_MARK_DASHES);
  if (peak_shown)
    fprintf(script, "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead back lw 1.5 lc rgb '#0000%02x'\n",
            l->peak, l->peak, XB_COLOUR_PEAK);
  draw_copy(script, l, file, from, to);
  draw_cache(figure, l);
  for (size_t k = 0; k < l->count; k++)
    fprintf(script, "%s $line%zu using 1:2 with linespoints lw %s pt %d ps 0.55 lc rgb '#0000%02x'%s", k ? "," : "plot",
            k, l->only ? "1.2" : "2", xb_point_type((int)k), XB_COLOUR_SERIES + l->at[k].target->slot,
            !l->only && k % 4 >= 2 ? " dt '-'" : "");
  if (copy_shown && isfinite(l->copy))
    fprintf(script, ", $copy using 1:2 with lines lw 1.5 dt '-' lc rgb '#0000%02x'", XB_COLOUR_COPY);
  fputs("\n", script);
}
