#include "page/charts/forest.h"

#include "page/model/ratio_lines.h"

#include <math.h>

enum { ROW = 24, ROW_WITH_NAME = 40, NAME_CHARACTERS = 23, LONG_NAME_CHARACTERS = 62 };

bool xb_forest_begin(xb_chart *chart, size_t rows, bool above)
{
  const int height = (int)rows * (above ? ROW_WITH_NAME : ROW) + 68;
  return xb_chart_begin(chart, height, above ? 0.03 : 0.41, above ? 0.69 : 0.70, 1 - 10. / height, 56. / height);
}

void xb_margin_band(xb_chart *chart, char axis, double margin, xb_interval range)
{
  const bool x = axis == 'x';
  const double from = fmax(1 / (1 + margin), range.low), to = fmin(1 + margin, range.high);
  if (margin > 0 && margin < 100) {
    fputs("set object rectangle from ", chart->script);
    fprintf(chart->script, x ? "%.9g, graph 0 to %.9g, graph 1" : "graph 0, first %.9g to graph 1, first %.9g", from,
            to);
    fprintf(chart->script, " behind fc rgb '#0000%02x' fs solid 1 noborder\n", XB_COLOUR_BAND);
  }
  fprintf(chart->script, "set arrow from %s to %s nohead back lw 1.5 lc rgb '#0000%02x'\n",
          x ? "1, graph 0" : "graph 0, first 1", x ? "1, graph 1" : "graph 1, first 1", XB_COLOUR_PEAK);
}

static void draw_names(xb_chart *chart, const xb_forest_row *rows, size_t count, bool above)
{
  char text[XB_NAME];
  fputs(above ? "unset ytics\n" : "", chart->script);
  for (size_t i = 0; i < count && !above; i++)
    xb_chart_mark(chart, 'y', (double)i, rows[i].name, NAME_CHARACTERS);
  for (size_t i = 0; i < count; i++) {
    if (above)
      fprintf(chart->script, "set label \"~%d~\" at graph 0, first %g left offset -1,0 tc rgb '#0000%02x'\n",
              xb_chart_label(chart, rows[i].name, LONG_NAME_CHARACTERS),
              (double)i + (isnan(rows[i].ratio) ? 0.2 : -0.32), isnan(rows[i].ratio) ? XB_COLOUR_MUTED : XB_COLOUR_INK);
    if (isnan(rows[i].ratio))
      continue;
    xb_chart_put(chart, XB_COLOUR_INK, xb_name_ratio(rows[i].ratio, rows[i].interval, text),
                 "graph 1, first %g left offset 0.7,0 font \",11\"", (double)i + (above ? 0.12 : 0));
  }
}

/* Draws a line per row. A vertical grid would cross the names. */
static void draw_rows(xb_chart *chart, const xb_forest_row *rows, size_t count)
{
  fputs("unset grid\n", chart->script);
  for (size_t i = 0; i < count; i++)
    if (!isnan(rows[i].ratio))
      fprintf(chart->script,
              "set arrow from graph 0, first %g to graph 1, first %g nohead back lw 1 lc rgb '#0000%02x'\n"
              "set arrow from 1, first %g to 1, first %g nohead back lw 1.5 lc rgb '#0000%02x'\n",
              (double)i + 0.12, (double)i + 0.12, XB_COLOUR_GRID, (double)i - 0.1, (double)i + 0.34, XB_COLOUR_PEAK);
}

void xb_forest_draw(xb_chart *chart, const xb_forest_row *rows, size_t count, xb_interval range, double margin,
                    bool above)
{
  for (size_t i = 0; i < count; i++) {
    const xb_interval ends = xb_drawn_interval(rows[i].ratio, rows[i].interval);
    range.low = fmin(range.low, ends.low);
    range.high = fmax(range.high, ends.high);
  }
  const double pad = fmax(pow(range.high / range.low, 0.02), 1.005);
  range = (xb_interval){range.low / pad, range.high * pad};
  fprintf(chart->script, "set yrange [%g:-0.6]\n$rows << EOD\n", (double)count - 0.4);
  for (size_t i = 0; i < count; i++) {
    if (isnan(rows[i].ratio))
      continue;
    const xb_interval ends = xb_drawn_interval(rows[i].ratio, rows[i].interval);
    fprintf(chart->script, "%.9g %g %.9g %.9g %d %d\n", rows[i].ratio, (double)i + (above ? 0.12 : 0), ends.low,
            ends.high, xb_point_type(rows[i].slot), XB_COLOUR_SERIES + rows[i].slot);
  }
  fputs("EOD\n", chart->script);
  xb_factor_axis(chart, 'x', &range);
  if (above)
    draw_rows(chart, rows, count);
  else
    xb_margin_band(chart, 'x', margin, range);
  xb_chart_axes(chart, "ratio of times, below 1 is faster", NULL);
  draw_names(chart, rows, count, above);
  fputs("set bars 0.6\nplot $rows using 1:2:3:4:6 with xerrorbars pt 0 lw 2 lc rgb variable, "
        "$rows using 1:2:5:6 with points pt variable ps 0.7 lc rgb variable\n",
        chart->script);
}
