#include "page/charts/chart.h"

#include <math.h>

void xb_size_axis(xb_chart *chart, double least, double most)
{
  const int first = (int)floor(log2(least) + 1e-9), last = (int)ceil(log2(most) - 1e-9);
  const int step = (last - first) / 6 + 1;
  char text[32];
  fprintf(chart->script, "set logscale x 2\nset xrange [%.9g:%.9g]\n", least / 1.35, most * 1.35);
  for (int e = first; e <= last; e += step)
    if (ldexp(1, e) >= least / 1.35 && ldexp(1, e) <= most * 1.35) {
      snprintf(text, sizeof text, e < 10 ? "%.0f" : "2^%.0f", e < 10 ? ldexp(1, e) : e);
      xb_chart_mark(chart, 'x', ldexp(1, e), text, 16);
    }
}

/* Round values for tick marks, the most important ones first. */
static const double marks[] = {1,    0.5,  2,    0.9,  1.1, 0.8, 1.2,   0.7,   1.5, 0.6,  1.3, 0.95, 1.05, 0.98,
                               1.02, 0.99, 1.01, 0.4,  3,   0.3, 4,     0.2,   5,   0.1,  10,  7,    2.5,  1.75,
                               20,   0.05, 50,   0.02, 100, .01, 0.995, 1.005, 1e3, 1e-3, 1e4, 1e-4, 1e6,  1e-6};

/* The next mark outside the range; if there is none, a power of ten. */
static double next_mark(double end, bool up)
{
  double next = up ? INFINITY : 0;
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
    if (up ? marks[i] >= end && marks[i] < next : marks[i] <= end && marks[i] > next)
      next = marks[i];
  return isfinite(next) && next > 0 ? next : pow(10, up ? ceil(log10(end)) : floor(log10(end)));
}

/* Draws the marks that fit without overlap: 1, the ends, then the others. On a vertical axis they need less distance.
 */
void xb_factor_axis(xb_chart *chart, char axis, xb_interval *range)
{
  double set[16];
  size_t count = 0;
  *range = (xb_interval){next_mark(range->low, false), next_mark(range->high, true)};
  const double ends[] = {1, range->low, range->high}, room = log(range->high / range->low) / (axis == 'x' ? 3.7 : 7);
  char text[32];
  for (size_t i = 0; i < 3 + sizeof marks / sizeof marks[0] && count < 16; i++) {
    const double value = i < 3 ? ends[i] : marks[i - 3];
    bool fits = value >= range->low && value <= range->high;
    for (size_t k = 0; k < count; k++)
      fits = fits && fabs(log(value / set[k])) >= room;
    if (fits)
      set[count++] = value;
  }
  fprintf(chart->script, "set logscale %c\nset %crange [%.9g:%.9g]\n", axis, axis, range->low, range->high);
  for (size_t k = 0; k < count; k++) {
    snprintf(text, sizeof text, set[k] >= 1000 && set[k] < (axis == 'x' ? 1e7 : 1e6) ? "%.0f" : "%.4g", set[k]);
    xb_chart_mark(chart, axis, set[k], text, 16);
  }
  fprintf(chart->script, "set grid %ctics lt 1 lc rgb '#0000%02x'\n", axis, XB_COLOUR_GRID);
}

void xb_decade_axis(xb_chart *chart, double low, double high)
{
  static const double steps[] = {1, 2, 5};
  const int first = (int)floor(log10(low)), last = (int)ceil(log10(high)), wide = last - first > 3;
  const int step = (last - first) / 10 + 1;
  char text[32];
  fprintf(chart->script, "set logscale y\nset yrange [%.9g:%.9g]\n", low, high);
  for (int e = first; e <= last; e += step)
    for (int i = 0; i < (wide ? 1 : 3); i++) {
      const double value = steps[i] * pow(10, e);
      snprintf(text, sizeof text, "%g", value);
      if (value >= low && value <= high)
        xb_chart_mark(chart, 'y', value, text, 16);
    }
  fprintf(chart->script, "set grid ytics lt 1 lc rgb '#0000%02x'\n", XB_COLOUR_GRID);
}
