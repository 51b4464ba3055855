#include "page/charts/chart.h"

#include "base/exit_codes.h"
#include "core/grow.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

enum { MOST_CHARACTERS = 72 };

bool xb_chart_begin(xb_chart *chart, int height, double left, double right, double top, double bottom)
{
  *chart = (xb_chart){.height = height};
  if (!xb_memory_begin(&chart->memory))
    return false;
  chart->script = chart->memory.file;
  fprintf(chart->script,
          "set terminal svg size %d,%d dynamic noenhanced font \"sans-serif,12\"\n"
          "set encoding utf8\nunset key\nset border 0\n"
          "set lmargin at screen %g\nset rmargin at screen %g\nset tmargin at screen %g\nset bmargin at screen %g\n"
          "set xtics () nomirror scale 0 tc rgb '#0000%02x'\nset ytics () nomirror scale 0 tc rgb '#0000%02x'\n",
          XB_CHART_WIDTH, height, left, right, top, bottom, XB_COLOUR_INK, XB_COLOUR_INK);
  return true;
}

void xb_chart_free(xb_chart *chart)
{
  xb_memory_end(&chart->memory);
  xb_arena_free(&chart->texts);
  free(chart->labels);
  *chart = (xb_chart){0};
}

int xb_chart_label(xb_chart *chart, const char *text, size_t characters)
{
  const char *copy = xb_arena_text(&chart->texts, "%s", text);
  if (!copy || !xb_grow(&chart->labels, &chart->label_capacity, chart->label_count, sizeof *chart->labels)) {
    chart->out_of_memory = true;
    return 0;
  }
  chart->labels[chart->label_count] = (xb_chart_text){copy, characters};
  return (int)chart->label_count++;
}

void xb_chart_put(xb_chart *chart, int colour, const char *text, const char *where, ...)
{
  va_list args;
  va_start(args, where);
  fprintf(chart->script, "set label \"~%d~\" at ", xb_chart_label(chart, text, MOST_CHARACTERS));
  vfprintf(chart->script, where, args);
  fprintf(chart->script, " front tc rgb '#0000%02x'\n", colour);
  va_end(args);
}

void xb_chart_mark(xb_chart *chart, char axis, double at, const char *text, size_t characters)
{
  fprintf(chart->script, "set %ctics add (\"~%d~\" %.12g)\n", axis, xb_chart_label(chart, text, characters), at);
}

void xb_chart_axes(xb_chart *chart, const char *x, const char *y)
{
  if (x)
    fprintf(chart->script, "set xlabel \"~%d~\" tc rgb '#0000%02x'\n", xb_chart_label(chart, x, MOST_CHARACTERS),
            XB_COLOUR_MUTED);
  if (y)
    fprintf(chart->script, "set label \"~%d~\" at character 0.5, graph 1 left offset 0,1 tc rgb '#0000%02x'\n",
            xb_chart_label(chart, y, MOST_CHARACTERS), XB_COLOUR_MUTED);
}

void xb_chart_marks(xb_chart *chart, char axis, double most)
{
  static const double round[] = {1, 2, 2.5, 5, 10};
  const double about = most / 5, power = pow(10, floor(log10(about)));
  double step = 10 * power;
  for (int i = 4; i >= 0; i--)
    step = round[i] * power >= about ? round[i] * power : step;
  fprintf(chart->script, "set %ctics 0, %.9g\nset grid %ctics lt 1 lc rgb '#0000%02x'\n", axis, step, axis,
          XB_COLOUR_GRID);
}

int xb_chart_write(xb_chart *chart, FILE *page, int id, const char *title, const char *description)
{
  char *svg;
  if (!xb_memory_whole(&chart->memory) || chart->out_of_memory)
    return xb_report_error(XB_EXIT_DEVICE, "report: out of host memory");
  int code = xb_gnuplot(chart->memory.text, chart->memory.length, &svg);
  if (code < 0 && !xb_svg_is_whole(svg))
    code = xb_report_error(XB_EXIT_UNAVAILABLE, "gnuplot made no drawing: expected an SVG from its 'svg' terminal");
  if (code < 0)
    xb_svg_write(page, svg, chart, id, title, description);
  free(svg);
  return code;
}
