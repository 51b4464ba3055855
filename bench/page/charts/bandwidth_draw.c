#include "page/charts/charts.h"

#include <math.h>

/* An axis that spans more is logarithmic. */
static const double WIDE_AXIS = 100;

static void draw_cache(xb_figure *figure, const xb_lines *l)
{
  char text[XB_LONG_NAME], size[XB_NAME];
  const double end = l->cache / l->bytes_each, left = l->scale.least / 1.35, right = l->scale.most * 1.35;
  if (!(end > left && end < right))
    return;
  fprintf(figure->chart.script,
          "set object rectangle from %.9g, graph 0 to %.9g, graph 1 behind fc rgb '#0000%02x' fs solid 1 noborder\n"
          "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead back lw 1 lc rgb '#0000%02x'\n",
          left, end, XB_COLOUR_BAND, end, end, XB_COLOUR_COPY);
  snprintf(text, sizeof text, "%s cache", xb_name_bytes(l->cache, size));
  const char *side = log(end / left) > 0.3 * log(right / left) ? "right offset -0.5,0" : "left offset 0.5,0";
  xb_chart_put(&figure->chart, XB_COLOUR_MUTED, text, "%.9g, graph %g %s font \",11\"", end,
               l->metric->more_is_better ? 0.05 : 0.95, side); /* where small sizes have no points */
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
  char text[XB_LONG_NAME], name[XB_NAME];
  draw_points(figure->chart.script, l, k, false);
  if (l->model)
    draw_points(figure->chart.script, l, k, true);
  snprintf(text, sizeof text, "%s%s%s", xb_name_variant(l->at[k].variant, name), l->only ? "" : ", ",
           l->only ? "" : l->at[k].target->name);
  xb_figure_legend(figure, XB_MARK_POINT, xb_line_slot(l, k), (int)k, text);
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
    xb_chart_put(&figure->chart, XB_COLOUR_MUTED, xb_name_size(lowest, size),
                 "%.9g,%.9g center offset 0,-0.9 font \",11\"", (double)lowest->size, xb_result_value(lowest));
  }
}

static void draw_axes(xb_figure *figure, const xb_lines *l, double top)
{
  char unit[XB_NAME];
  const double space = 0.02 * (l->scale.most - l->scale.least);
  snprintf(unit, sizeof unit, "%s (log scale)", l->metric->unit);
  if (l->axis < 0 || (l->scale.least > 0 && l->scale.most > WIDE_AXIS * l->scale.least))
    xb_size_axis(&figure->chart, l->scale.least, l->scale.most);
  else {
    xb_chart_marks(&figure->chart, 'x', l->scale.most);
    if (l->scale.most >= 16 && l->scale.most < 72) /* words of a segment, threads of a wave */
      fputs("set xtics 0, 8\n", figure->chart.script);
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
  xb_label_lines(figure, l, l->only ? 1.3 * top : 1.06 * top);
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
    fprintf(script, ", $model%zu using 1:2 with lines lw 1 dt '-' lc rgb '#0000%02x'", k,
            XB_COLOUR_SERIES + xb_line_slot(l, k));
  if (copy_shown && isfinite(l->copy))
    fprintf(script, ", $copy using 1:2 with lines lw 1.5 dt '-' lc rgb '#0000%02x'", XB_COLOUR_COPY);
  fputs("\n", script);
}
