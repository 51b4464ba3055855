#include "report/charts/chart.h"

#include "base/html_text.h"

#include <math.h>
#include <string.h>

enum { FONT = 12, SMALL_FONT = 11, MOST_CHARACTERS = 72, MOST_MARKS = 16 };
static const double LETTER = 0.64;         /* the width of a figure, as a part of its font's size */
static const double RADIUS = 3.4, GAP = 8; /* of a point; between a mark and its axis */

void xb_chart_begin(xb_chart *chart, int id)
{
  *chart = (xb_chart){.id = id};
  for (int i = 0; i < XB_LAYERS; i++)
    xb_memory_begin(&chart->layers[i]);
}

bool xb_chart_is_whole(xb_chart *chart)
{
  bool whole = true;
  for (int i = 0; i < XB_LAYERS; i++)
    whole = xb_memory_whole(&chart->layers[i]) && whole;
  return whole;
}

void xb_chart_free(xb_chart *chart)
{
  for (int i = 0; i < XB_LAYERS; i++)
    xb_memory_end(&chart->layers[i]);
  *chart = (xb_chart){0};
}

void xb_chart_write(const xb_chart *chart, FILE *report, const char *title, const char *description)
{
  const int id = chart->id;
  xb_html_format(report,
                 "<svg role=\"img\" viewBox=\"0 0 %d %d\" aria-labelledby=\"c%d-title c%d-desc\">"
                 "<title id=\"c%d-title\">%s</title><desc id=\"c%d-desc\">%s</desc>\n",
                 XB_CHART_WIDTH, chart->height, id, id, id, title, id, description);
  for (int i = 0; i < XB_LAYERS; i++)
    fwrite(chart->layers[i].text, 1, chart->layers[i].length, report);
  fputs("</svg>\n", report);
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

void xb_axis_set(xb_chart_axis *axis, double low, double high, bool log)
{
  axis->low = low;
  axis->high = high;
  axis->log = log;
}

double xb_chart_part(const xb_chart_axis *axis, double value)
{
  const double p =
      axis->log ? log(value / axis->low) / log(axis->high / axis->low) : (value - axis->low) / (axis->high - axis->low);
  return isfinite(p) ? p : NAN;
}

static bool is_inside(const xb_chart_axis *axis, double value)
{
  const double p = xb_chart_part(axis, value);
  return p > -1e-6 && p < 1 + 1e-6;
}

/* In the drawing. What is outside is moved to the nearer end. */
static double place(const xb_chart_axis *axis, double value)
{
  return axis->begin + fmin(fmax(xb_chart_part(axis, value), 0), 1) * (axis->end - axis->begin);
}

static bool shows(const xb_chart *chart, double x, double y)
{
  return is_inside(&chart->x, x) && is_inside(&chart->y, y);
}

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

/* Writes an attribute; series and soft colours have a number. */
static void put_colour(FILE *out, const char *attribute, int colour)
{
  static const char *const names[] = {"ink", "grid", "peak", "copy", "band", "muted"};
  if (colour >= XB_COLOUR_SERIES)
    fprintf(out, " %s=\"var(--%s%d)\"", attribute, colour < XB_COLOUR_SOFT ? "series" : "soft", colour % 0x10);
  else
    fprintf(out, " %s=\"var(--%s)\"", attribute, names[colour]);
}

static void put_pen(FILE *out, xb_pen pen)
{
  fputs("<path fill=\"none\"", out);
  put_colour(out, "stroke", pen.colour);
  fprintf(out, " stroke-width=\"%g\"%s d=\"", pen.width, pen.dashed ? " stroke-dasharray=\"8 5\"" : "");
}

xb_path xb_path_begin(xb_chart *chart, xb_pen pen, int shape)
{
  put_pen(chart->layers[XB_LAYER_LINES].file, pen);
  return (xb_path){.chart = chart, .colour = pen.colour, .shape = shape};
}

void xb_path_to(xb_path *path, double x, double y)
{
  const bool known = isfinite(xb_chart_part(&path->chart->x, x)) && isfinite(xb_chart_part(&path->chart->y, y));
  if (known)
    fprintf(path->chart->layers[XB_LAYER_LINES].file, "%c%.2f,%.2f", path->open ? 'L' : 'M', place(&path->chart->x, x),
            place(&path->chart->y, y));
  path->open = known;
  if (path->shape != XB_NO_SHAPE)
    xb_draw_point(path->chart, path->colour, path->shape, x, y);
}

void xb_path_end(xb_path *path)
{
  fputs("\"/>\n", path->chart->layers[XB_LAYER_LINES].file);
}

void xb_draw_line(xb_chart *chart, xb_pen pen, double x0, double y0, double x1, double y1)
{
  xb_path path = xb_path_begin(chart, pen, XB_NO_SHAPE);
  xb_path_to(&path, x0, y0);
  xb_path_to(&path, x1, y1);
  xb_path_end(&path);
}

void xb_draw_across(xb_chart *chart, char axis, double at, xb_pen pen)
{
  const xb_chart_axis *x = &chart->x, *y = &chart->y;
  if (axis == 'x' && is_inside(x, at))
    xb_draw_line(chart, pen, at, y->low, at, y->high);
  if (axis == 'y' && is_inside(y, at))
    xb_draw_line(chart, pen, x->low, at, x->high, at);
}

static void put_box(const xb_chart *chart, FILE *out, double x0, double y0, double x1, double y1)
{
  const double left = place(&chart->x, x0), right = place(&chart->x, x1), top = place(&chart->y, y0),
               bottom = place(&chart->y, y1);
  fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", fmin(left, right), fmin(top, bottom),
          fabs(right - left), fabs(bottom - top));
}

void xb_draw_band(xb_chart *chart, char axis, double from, double to)
{
  const xb_chart_axis *x = &chart->x, *y = &chart->y;
  FILE *out = chart->layers[XB_LAYER_BANDS].file;
  if (axis == 'x')
    put_box(chart, out, from, y->low, to, y->high);
  else
    put_box(chart, out, x->low, from, x->high, to);
  put_colour(out, "fill", XB_COLOUR_BAND);
  fputs("/>\n", out);
}

void xb_draw_box(xb_chart *chart, int colour, double x0, double y0, double x1, double y1)
{
  put_box(chart, chart->layers[XB_LAYER_LINES].file, x0, y0, x1, y1);
  put_colour(chart->layers[XB_LAYER_LINES].file, "fill", colour);
  put_colour(chart->layers[XB_LAYER_LINES].file, "stroke", colour); /* so that also a bar without length is seen */
  fputs("/>\n", chart->layers[XB_LAYER_LINES].file);
}

void xb_draw_bar(xb_chart *chart, int slot, double x0, double y0, double x1, double y1)
{
  const int turn = slot % 3 == 1 ? -45 : 45; /* as the legend's swatches: solid, left, right */
  FILE *out = chart->layers[XB_LAYER_LINES].file;
  xb_draw_box(chart, slot % 3 ? XB_COLOUR_SOFT + slot : XB_COLOUR_SERIES + slot, x0, y0, x1, y1);
  if (slot % 3 == 0)
    return;
  if (!(chart->hatched & 1u << slot)) {
    chart->hatched |= 1u << slot;
    fprintf(out,
            "<pattern id=\"c%d-hatch%d\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
            "patternTransform=\"rotate(%d)\"><path d=\"M0,2h5\" stroke-width=\"1.2\"",
            chart->id, slot, turn);
    put_colour(out, "stroke", XB_COLOUR_SERIES + slot);
    fputs("/></pattern>\n", out);
  }
  put_box(chart, out, x0, y0, x1, y1);
  fprintf(out, " fill=\"url(#c%d-hatch%d)\"", chart->id, slot);
  put_colour(out, "stroke", XB_COLOUR_SERIES + slot);
  fputs("/>\n", out);
}

void xb_draw_point(xb_chart *chart, int colour, int shape, double x, double y)
{
  static const char *const shapes[] = {"M1,0A1,1 0 1 1-1,0A1,1 0 1 1 1,0z",
                                       "M-1,-1h2v2h-2z",
                                       "M0,-1.3L1.3,.7h-2.6z",
                                       "M0,-1.4L1.4,0L0,1.4L-1.4,0z",
                                       "M0,1.3L1.3,-.7h-2.6z",
                                       "M-1,0h2M0,-1v2",
                                       "M-1,-1l2,2M1,-1l-2,2"};
  FILE *out = chart->layers[XB_LAYER_POINTS].file;
  shape %= XB_SHAPES;
  if (!shows(chart, x, y))
    return;
  fprintf(out, "<path transform=\"translate(%.2f,%.2f) scale(%g)\"", place(&chart->x, x), place(&chart->y, y), RADIUS);
  if (shape < XB_HOLLOW)
    put_colour(out, "fill", colour);
  else {
    fputs(" fill=\"none\" stroke-width=\".4\"", out);
    put_colour(out, "stroke", colour);
  }
  fprintf(out, " d=\"%s\"/>\n", shapes[shape < 2 * XB_HOLLOW ? shape % XB_HOLLOW : shape - XB_HOLLOW]);
}

void xb_draw_interval(xb_chart *chart, char axis, xb_interval ends, double across, xb_pen pen)
{
  const bool x = axis == 'x';
  const xb_chart_axis *along = x ? &chart->x : &chart->y, *other = x ? &chart->y : &chart->x;
  const double low = place(along, ends.low), high = place(along, ends.high), middle = place(other, across), half = 3;
  put_pen(chart->layers[XB_LAYER_POINTS].file, pen);
  if (x)
    fprintf(chart->layers[XB_LAYER_POINTS].file, "M%.2f,%.2fv%gM%.2f,%.2fH%.2fM%.2f,%.2fv%g\"/>\n", low, middle - half,
            2 * half, low, middle, high, high, middle - half, 2 * half);
  else
    fprintf(chart->layers[XB_LAYER_POINTS].file, "M%.2f,%.2fh%gM%.2f,%.2fV%.2fM%.2f,%.2fh%g\"/>\n", middle - half, low,
            2 * half, middle, low, high, middle - half, high, 2 * half);
}

void xb_draw_whisker(xb_chart *chart, char axis, xb_interval ends, double across, int colour)
{
  const bool x = axis == 'x';
  const xb_chart_axis *along = x ? &chart->x : &chart->y, *other = x ? &chart->y : &chart->x;
  if (isfinite(xb_chart_part(along, ends.low)) && isfinite(xb_chart_part(along, ends.high)) && is_inside(other, across))
    xb_draw_interval(chart, axis, ends, across, (xb_pen){colour, 1.2, false});
}

/* At a place in the drawing. */
static void put_text(xb_chart *chart, double x, double y, xb_text how, const char *text)
{
  static const char *const anchors[] = {"start", "middle", "end"};
  const double size = how.size > 0 ? how.size : SMALL_FONT;
  FILE *out = chart->layers[XB_LAYER_POINTS].file;
  x += how.right;
  y += how.down;
  fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\" text-anchor=\"%s\"", x, y + size / 3, size,
          anchors[how.anchor]);
  if (how.turn != 0)
    fprintf(out, " transform=\"rotate(%g %.2f %.2f)\"", how.turn, x, y);
  put_colour(out, "fill", how.colour);
  fputc('>', out);
  xb_html_clipped(out, text, how.characters ? how.characters : MOST_CHARACTERS);
  fputs("</text>\n", out);
}

void xb_draw_text(xb_chart *chart, double x, double y, xb_text how, const char *text)
{
  if (shows(chart, x, y))
    put_text(chart, place(&chart->x, x), place(&chart->y, y), how, text);
}

/* ---- Axes ------------------------------------------------------------------------------------------------------- */

void xb_chart_size(xb_chart *chart, int height, double left, double right, double top, double bottom)
{
  chart->height = height;
  chart->x = (xb_chart_axis){.begin = left, .end = XB_CHART_WIDTH - right};
  chart->y = (xb_chart_axis){.begin = height - bottom, .end = top};
}

static xb_chart_axis *axis_of(xb_chart *chart, char axis)
{
  return axis == 'x' ? &chart->x : &chart->y;
}

void xb_chart_mark(xb_chart *chart, char axis, double at, const char *text, size_t characters, bool grid)
{
  const xb_chart_axis *x = &chart->x, *y = &chart->y;
  const xb_text below = {.size = FONT, .down = 18, .anchor = XB_MIDDLE, .characters = characters},
                beside = {.size = FONT, .right = -GAP, .anchor = XB_END, .characters = characters};
  if (!is_inside(axis_of(chart, axis), at))
    return;
  if (grid) /* the other axis may not be set yet */
    put_pen(chart->layers[XB_LAYER_LINES].file, (xb_pen){XB_COLOUR_GRID, 1, false});
  if (grid && axis == 'x')
    fprintf(chart->layers[XB_LAYER_LINES].file, "M%.2f,%.2fV%.2f\"/>\n", place(x, at), y->begin, y->end);
  else if (grid)
    fprintf(chart->layers[XB_LAYER_LINES].file, "M%.2f,%.2fH%.2f\"/>\n", x->begin, place(y, at), x->end);
  if (axis == 'x')
    put_text(chart, place(x, at), y->begin, below, text);
  else
    put_text(chart, x->begin, place(y, at), beside, text);
}

/* Beside an axis there is less room than below one. */
static const char *mark_text(char axis, double value, char out[32])
{
  snprintf(out, 32, fabs(value) >= 1000 && fabs(value) < (axis == 'x' ? 1e7 : 1e5) ? "%.0f" : "%.4g", value);
  return out;
}

/* The least round step for at most six marks whose texts have room. */
static double round_step(const xb_chart_axis *a, char axis, double low, double high)
{
  static const double round[] = {1, 2, 2.5, 5};
  const double range = high - fmax(low, 0), length = fabs(a->end - a->begin);
  double power = pow(10, floor(log10(range / 6)));
  char text[32];
  for (int i = 0;; i++, power *= i % 4 ? 1 : 10) {
    const double step = round[i % 4] * power,
                 letters = (double)strlen(mark_text(axis, floor(high / step) * step, text));
    if (!(6 * step < range || step / (high - low) * length < FONT * (axis == 'x' ? letters * LETTER + 0.3 : 2)))
      return step;
  }
}

void xb_linear_axis(xb_chart *chart, char axis, double low, double high, double step)
{
  char text[32];
  xb_axis_set(axis_of(chart, axis), low, high, false);
  step = step > 0 ? step : round_step(axis_of(chart, axis), axis, low, high);
  const double first = ceil(low / step - 1e-9) + 0.0; /* not -0 */
  for (int i = 0; i < MOST_MARKS && (first + i) * step <= high * (1 + 1e-9); i++)
    xb_chart_mark(chart, axis, (first + i) * step, mark_text(axis, (first + i) * step, text), 16, true);
}

void xb_size_axis(xb_chart *chart, double least, double most)
{
  const int first = (int)floor(log2(least) + 1e-9), last = (int)ceil(log2(most) - 1e-9);
  const int step = (last - first) / 6 + 1;
  char text[32];
  xb_axis_set(&chart->x, least / 1.35, most * 1.35, true);
  for (int e = first; e <= last; e += step) {
    snprintf(text, sizeof text, e < 10 ? "%.0f" : "2^%.0f", e < 10 ? ldexp(1, e) : e);
    xb_chart_mark(chart, 'x', ldexp(1, e), text, 16, true);
  }
}

/* Round values for marks, the most important ones first. */
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
void xb_factor_axis(xb_chart *chart, char axis, xb_interval *range, bool grid)
{
  double set[MOST_MARKS];
  size_t count = 0;
  *range = (xb_interval){next_mark(range->low, false), next_mark(range->high, true)};
  const double ends[] = {1, range->low, range->high}, room = log(range->high / range->low) / (axis == 'x' ? 3.7 : 7);
  char text[32];
  xb_axis_set(axis_of(chart, axis), range->low, range->high, true);
  for (size_t i = 0; i < 3 + sizeof marks / sizeof marks[0] && count < MOST_MARKS; i++) {
    const double value = i < 3 ? ends[i] : marks[i - 3];
    bool fits = value >= range->low && value <= range->high;
    for (size_t k = 0; k < count; k++)
      fits = fits && fabs(log(value / set[k])) >= room;
    if (!fits)
      continue;
    set[count++] = value;
    xb_chart_mark(chart, axis, value, mark_text(axis, value, text), 16, grid);
  }
}

void xb_decade_axis(xb_chart *chart, char axis, double low, double high)
{
  static const double steps[] = {1, 2, 5};
  const int first = (int)floor(log10(low)), last = (int)ceil(log10(high)), wide = last - first > 3;
  const int step = (last - first) / 10 + 1;
  char text[32];
  xb_axis_set(axis_of(chart, axis), low, high, true);
  for (int e = first; e <= last; e += step)
    for (int i = 0; i < (wide ? 1 : 3); i++)
      xb_chart_mark(chart, axis, steps[i] * pow(10, e), mark_text(axis, steps[i] * pow(10, e), text), 16, true);
}

void xb_row_axis(xb_chart *chart, size_t count)
{
  xb_axis_set(&chart->y, (double)count - 0.45, -0.55, false);
}

void xb_chart_titles(xb_chart *chart, const char *x, const char *y)
{
  const xb_text muted = {.colour = XB_COLOUR_MUTED, .size = FONT};
  xb_text middle = muted;
  middle.anchor = XB_MIDDLE;
  middle.down = 41;
  if (x)
    put_text(chart, (chart->x.begin + chart->x.end) / 2, chart->y.begin, middle, x);
  if (y)
    put_text(chart, 4, chart->y.end - 17, muted, y);
}
