/* Line charts: the first metric by size or by an axis, one line per variant and API. Charts by size also show the cache
 * size and the limits (peak and copy). Charts by axis also show the model's prediction from the axis' base value. With
 * too many lines for one chart, there is one per target or, by an axis, one per variant. */
#include "report/charts/charts.h"
#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 300, MOST_TOGETHER = 6, MOST_PLACES = 6, MOST_SIZES = 3, LABEL_CHARACTERS = 16 };
static const double BEYOND = 0.35;        /* a limit this far above all points is only in the legend */
static const double WIDE_AXIS = 100;      /* an axis that spans more is logarithmic */
static const double LABEL_HEIGHT = 0.055; /* of a line's label, as a part of the height of the axes */

/* ---- The lines -------------------------------------------------------------------------------------------------- */

typedef struct line {
  const char *variant;
  const xb_view_target *target;
} line;

/* The lines of cells [from, to) of the file. */
typedef struct lines {
  /* Set by the caller. */
  const xb_view_file *file;
  size_t from, to;
  const xb_view_target *only; /* only this target's lines: many, so the values are logarithmic; NULL: all targets */
  const char *variant;        /* only this variant's lines; NULL: all variants */
  int axis;                   /* the x axis: an axis of the cells; -1: their size */
  const xb_result *like;      /* all cells have its places on the other axes */
  bool axes_vary;             /* other charts have other places */

  const char *across; /* name of the x axis */
  line at[XB_LINES_MOST];
  size_t count, in_all;
  const xb_metric *metric; /* the one that is drawn */
  const xb_result *drawn;  /* a cell that has it */
  bool model;              /* a model predicts some of the values */
  bool mixed;              /* there are several metrics */
  xb_scale scale;          /* that of all files */
  double least, most, peak, copy, cache, bytes_each;
} lines;

/* True if the chart shows the cell. */
static bool line_has(const lines *l, const xb_result *cell)
{
  bool same = (!l->only || xb_view_target_of(l->file, cell) == l->only) &&
              (!l->variant || !strcmp(l->variant, cell->variant)) && l->axis < (int)cell->at.count &&
              cell->at.count == l->like->at.count;
  for (size_t a = 0; a < cell->at.count && same; a++)
    same = (int)a == l->axis || cell->at.values[a].value == l->like->at.values[a].value;
  return same;
}

/* True if the cell belongs to line k. */
static bool is_of_line(const lines *l, size_t k, const xb_result *cell)
{
  return xb_view_target_of(l->file, cell) == l->at[k].target && !strcmp(cell->variant, l->at[k].variant) &&
         line_has(l, cell);
}

static double x_of(const lines *l, const xb_result *cell)
{
  return l->axis < 0 ? (double)cell->work.size : (double)cell->at.values[l->axis].value;
}

/* A colour for line k: its API's or, if all lines have the same API, its own. */
static int slot_of(const lines *l, size_t k)
{
  for (size_t i = 1; i < l->count; i++)
    if (l->at[i].target != l->at[0].target)
      return l->at[k].target->slot;
  return l->count > 1 ? (int)k % XB_VIEW_SLOTS : l->at[k].target->slot;
}

static void find_roofs(lines *l, const xb_result *cell)
{
  const xb_view_target *target = xb_view_target_of(l->file, cell);
  l->peak = isfinite(target->peak) && xb_is_bandwidth(cell) ? target->peak : l->peak;
  l->cache = isfinite(target->cache) ? target->cache : l->cache;
  l->copy = fmax(l->copy, xb_view_copy(cell));
  /* Without a number of bytes, the elements are what the kernel walks through: "int32" has 4 bytes. */
  l->bytes_each = cell->work.bytes ? (double)cell->work.bytes / (double)cell->work.size
                                   : strtod(cell->dtype + strcspn(cell->dtype, "0123456789"), NULL) / 8;
}

/* All but the scale. */
static void find_lines(lines *l)
{
  l->least = INFINITY;
  l->across = l->axis < 0 ? "size" : l->like->at.values[l->axis].axis;
  l->peak = l->copy = l->cache = l->bytes_each = NAN;
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    if (!xb_has_value(cell) || !line_has(l, cell))
      continue;
    size_t k = 0;
    while (k < l->count && !is_of_line(l, k, cell))
      k++;
    if (k == l->count && l->count < XB_LINES_MOST)
      l->at[l->count++] = (line){cell->variant, xb_view_target_of(l->file, cell)};
    else if (k == l->count)
      l->in_all++;
    l->least = fmin(l->least, x_of(l, cell));
    l->most = fmax(l->most, x_of(l, cell));
    l->mixed |= l->metric && strcmp(l->metric->unit, cell->rates.metrics.values[0].unit) != 0;
    l->metric = &cell->rates.metrics.values[0];
    l->drawn = cell;
    l->model |= l->axis >= 0 && xb_predicted(cell) > 0;
    if (l->axis < 0)
      find_roofs(l, cell);
  }
  l->in_all += l->count;
}

/* ---- Texts and table -------------------------------------------------------------------------------------------- */

static const char *name_x(const lines *l, const xb_result *cell, char out[XB_NAME])
{
  if (l->axis < 0)
    return xb_name_size(cell, out);
  snprintf(out, XB_NAME, "%s %.0f", cell->at.values[l->axis].axis, x_of(l, cell));
  return out;
}

static void tabulate(xb_figure *figure, const lines *l)
{
  char x[XB_NAME];
  xb_figure_table(figure, l->axis < 0 ? "tttnn11" : "tttnn1111t", l->across, "variant", "API", l->metric->unit,
                  "time, us", "% of peak", "% of copy", "% of base", "predicted", "result");
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    const char *target = xb_view_target_of(l->file, cell)->name;
    if (line_has(l, cell))
      xb_figure_row(figure, name_x(l, cell, x), cell->variant, target, xb_result_value(cell),
                    cell->time.median_ns / 1e3, cell->rates.percent_of_peak, cell->rates.percent_of_copy,
                    100 * cell->rates.model.measured, 100 * cell->rates.model.predicted,
                    cell->outcome == XB_CELL_OK ? "ok" : xb_result_why(cell));
  }
}

/* "offset, 2^24 float32, 1 word: bandwidth against offset". */
static void name_chart(xb_figure *figure, const lines *l)
{
  char text[XB_NAME];
  const xb_result *first = l->like;
  XB_ADD(figure->title, "%s, %s%s%s", first->benchmark, l->axis < 0 ? "" : xb_name_size(first, text),
         l->axis < 0 ? "" : " ", first->dtype);
  for (size_t a = 0; a < first->at.count; a++)
    if ((int)a != l->axis && (first->at.count > 1 || l->axes_vary))
      XB_ADD(figure->title, ", %s %" PRId64, first->at.values[a].axis, first->at.values[a].value);
  XB_ADD(figure->title, "%s%s%s%s: %s against %s", l->variant ? ", " : "",
         l->variant ? xb_name_variant(l->variant, text) : "", l->only ? ", " : "", l->only ? l->only->name : "",
         l->metric->name, l->across);
}

/* The takeaway: by size, the best value at the largest size; by axis, and for a time, the best and the worst value. */
static void say(xb_figure *figure, const lines *l)
{
  char x[XB_NAME], value[XB_NAME], variant[XB_NAME];
  xb_ties ties = {.count = 0};
  const xb_result *last = NULL, *low = NULL;
  const bool both = l->axis >= 0 || l->metric->more_is_better == 0;
  name_chart(figure, l);
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    if (!xb_has_value(cell) || !line_has(l, cell))
      continue;
    if (!last || (!both && cell->work.size > last->work.size) || xb_is_better(cell, last))
      last = cell;
  }
  for (size_t i = l->from; i < l->to; i++) { /* of the same line */
    const xb_result *cell = l->file->cells[i];
    if (xb_has_value(cell) && line_has(l, cell) && cell->on == last->on && !strcmp(cell->variant, last->variant) &&
        (!low || xb_is_better(low, cell)))
      low = cell;
  }
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    if (cell != last && line_has(l, cell) && xb_is_tied(last, cell) && (both || cell->work.size == last->work.size))
      xb_ties_add(&ties, "%s through %s, %s, at %s", xb_name_figure(xb_result_value(cell), value),
                  xb_view_target_of(l->file, cell)->name, xb_name_variant(cell->variant, variant), name_x(l, cell, x));
  }
  XB_ADD(figure->takeaway, "%s %s: %s %s through %s", ties.count ? "Not distinguishable, at" : "At", name_x(l, last, x),
         xb_name_figure(xb_result_value(last), value), l->metric->unit, xb_view_target_of(l->file, last)->name);
  if (last->rates.percent_of_peak > 0)
    XB_ADD(figure->takeaway, ", %.0f %% of the theoretical peak", last->rates.percent_of_peak);
  XB_ADD(figure->takeaway, "%s", xb_ties_text(&ties));
  if (both)
    XB_ADD(figure->takeaway, "; %s, at %s: %s", l->metric->more_is_better ? "lowest" : "longest", name_x(l, low, x),
           xb_name_figure(xb_result_value(low), value));
  XB_ADD(figure->takeaway, ". Whiskers are 95 %% intervals.%s",
         l->in_all > l->count ? " Not all lines are drawn." : "");
  XB_ADD(figure->source, "%s; %s cache", l->file->name, l->like->conditions.cache);
}

/* ---- Labels to the right of the axes, where the lines end ------------------------------------------------------- */

/* The label of line k: what differs between the lines; of many lines, the variant's number. */
static const char *name_line(const lines *l, size_t k, char out[XB_LONG_NAME])
{
  bool variants = false, targets = false, devices = false;
  for (size_t i = 1; i < l->count; i++) {
    const xb_view_target *first = l->at[0].target, *target = l->at[i].target;
    variants |= strcmp(l->at[i].variant, l->at[0].variant) != 0;
    targets |= target != first;
    devices |= strcmp(target->model, first->model) != 0 || target->nth != first->nth;
  }
  const char *variant = l->at[k].variant, *target = devices ? l->at[k].target->name : l->at[k].target->api;
  const int number = l->only || variants ? (int)strcspn(variant, "_") : 0;
  if (!l->only && variants && !targets)
    return xb_name_variant(variant, out);
  snprintf(out, XB_LONG_NAME, "%.*s%s%s", number, variant, number && !l->only ? " " : "", l->only ? "" : target);
  return out;
}

static double room_for_names(const lines *l)
{
  char text[XB_LONG_NAME];
  size_t longest = 0;
  for (size_t k = 0; k < l->count && l->count > 1; k++)
    longest = strlen(name_line(l, k, text)) > longest ? strlen(text) : longest;
  return longest ? 17 + 6.5 * (double)(longest < LABEL_CHARACTERS ? longest : LABEL_CHARACTERS) : 13;
}

/* Where line k ends, as a part of the height of the y axis. */
static double end_of(const xb_chart *chart, const lines *l, size_t k)
{
  double end = 0;
  for (size_t i = l->from; i < l->to; i++)
    if (is_of_line(l, k, l->file->cells[i]) && xb_has_value(l->file->cells[i]))
      end = xb_chart_part(&chart->y, xb_result_value(l->file->cells[i]));
  return end;
}

/* Moves heights, which are sorted, apart where their labels would overlap. */
static void keep_apart(double *heights, size_t count)
{
  for (int round = 0; round < 200; round++)
    for (size_t i = 1; i < count; i++) {
      const double lacking = fmax(LABEL_HEIGHT - (heights[i] - heights[i - 1]), 0);
      heights[i] = fmin(heights[i] + lacking / 2, 1 - LABEL_HEIGHT * (double)(count - 1 - i));
      heights[i - 1] = fmax(heights[i - 1] - lacking / 2, LABEL_HEIGHT * (double)(i - 1));
    }
}

/* In the lines' colours, from below. */
static void name_lines(xb_chart *chart, const lines *l)
{
  double heights[XB_LINES_MOST];
  size_t order[XB_LINES_MOST], count = 0;
  char text[XB_LONG_NAME];
  for (size_t k = 0, at; k < l->count && l->count > 1; k++) {
    const double end = end_of(chart, l, k);
    for (at = count++; at > 0 && heights[at - 1] > end; at--) {
      order[at] = order[at - 1];
      heights[at] = heights[at - 1];
    }
    order[at] = k;
    heights[at] = end;
  }
  keep_apart(heights, count);
  for (size_t i = 0; i < count; i++) {
    const xb_text how = {.colour = XB_COLOUR_SERIES + slot_of(l, order[i]),
                         .right = 8,
                         .down = -heights[i] * fabs(chart->y.end - chart->y.begin),
                         .characters = LABEL_CHARACTERS};
    xb_draw_text(chart, l->only ? l->most : chart->x.high, chart->y.low, how, name_line(l, order[i], text));
  }
}

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

static void draw_axes(xb_chart *chart, const lines *l, double top)
{
  char unit[XB_NAME];
  const double space = 0.02 * (l->scale.most - l->scale.least);
  const bool eights = l->scale.most >= 16 && l->scale.most < 72; /* words of a segment, threads of a wave */
  snprintf(unit, sizeof unit, "%s (log scale)", l->metric->unit);
  if (l->axis < 0 || (l->scale.least > 0 && l->scale.most > WIDE_AXIS * l->scale.least))
    xb_size_axis(chart, l->scale.least, l->scale.most);
  else
    xb_linear_axis(chart, 'x', l->scale.least - space, l->scale.most + space, eights ? 8 : 0);
  if (l->only)
    xb_decade_axis(chart, 'y', l->scale.low / 1.3, top);
  else
    xb_linear_axis(chart, 'y', 0, top, 0);
  xb_chart_titles(chart, l->axis < 0 ? "elements (log scale)" : l->across, l->only ? unit : l->metric->unit);
}

static void draw_cache(xb_figure *figure, const lines *l)
{
  xb_chart *chart = &figure->chart;
  char text[XB_LONG_NAME], size[XB_NAME];
  const double end = l->cache / l->bytes_each, left = chart->x.low, right = chart->x.high;
  if (!(end > left && end < right))
    return;
  const bool before = log(end / left) > 0.3 * log(right / left), below = l->metric->more_is_better;
  xb_draw_band(chart, 'x', left, end);
  xb_draw_across(chart, 'x', end, (xb_pen){XB_COLOUR_COPY, 1, false});
  xb_field_format(&(xb_field){.format = xb_as_bytes}, l->cache, size, sizeof size);
  snprintf(text, sizeof text, "%s cache", size);
  xb_draw_text(chart, end, below ? chart->y.low : chart->y.high, /* where small sizes have no points */
               (xb_text){.colour = XB_COLOUR_MUTED,
                         .right = before ? -4 : 4,
                         .down = below ? -11 : 11,
                         .anchor = before ? XB_END : XB_BEGIN},
               text);
  xb_figure_legend(figure, XB_MARK_AREA, 0, 0, "fits in the last-level cache");
}

/* The measured copy differs by size. */
static void draw_copy(xb_chart *chart, const lines *l)
{
  xb_path path = xb_path_begin(chart, (xb_pen){XB_COLOUR_COPY, 1.5, true}, XB_NO_SHAPE);
  for (size_t i = l->from, end; i < l->to; i = end) {
    double copy = NAN;
    for (end = i; end < l->to && xb_same_size(l->file->cells[i], l->file->cells[end]); end++)
      if (line_has(l, l->file->cells[end]))
        copy = fmax(copy, xb_view_copy(l->file->cells[end]));
    if (isfinite(copy))
      xb_path_to(&path, (double)l->file->cells[i]->work.size, copy);
  }
  xb_path_end(&path);
}

static void draw_line(xb_chart *chart, const lines *l, size_t k, bool model)
{
  const xb_pen measured = {XB_COLOUR_SERIES + slot_of(l, k), l->only ? 1.5 : 2,
                           l->only ? k >= XB_VIEW_SLOTS : !l->model && k % 4 >= 2},
               predicted = {measured.colour, 1, true};
  xb_path path = xb_path_begin(chart, model ? predicted : measured, model ? XB_NO_SHAPE : (int)k);
  for (int odd = 0; odd < 2; odd++) /* non-square matrices are separate points */
    for (size_t i = l->from; i < l->to; i++) {
      const xb_result *cell = l->file->cells[i];
      const double value = model ? xb_predicted(cell) : xb_result_value(cell);
      if (!(value > 0) || !is_of_line(l, k, cell) || (l->axis < 0 && cell->work.rows != cell->work.columns) != odd)
        continue;
      path.open &= !odd;
      xb_path_to(&path, x_of(l, cell), value);
      if (!model)
        xb_draw_whisker(chart, 'y', xb_value_interval(cell), x_of(l, cell), measured.colour);
    }
  xb_path_end(&path);
}

/* Labels the points of non-square matrices with their shape, once per shape. */
static void name_odd(xb_chart *chart, const lines *l)
{
  char size[XB_NAME];
  for (size_t i = l->from, end; i < l->to; i = end) {
    const xb_result *lowest = NULL;
    for (end = i; end < l->to && xb_same_size(l->file->cells[i], l->file->cells[end]); end++)
      if (xb_has_value(l->file->cells[end]) &&
          (!lowest || xb_result_value(l->file->cells[end]) < xb_result_value(lowest)))
        lowest = l->file->cells[end];
    if (lowest && lowest->work.rows != lowest->work.columns && lowest->work.rows)
      xb_draw_text(chart, (double)lowest->work.size, xb_result_value(lowest),
                   (xb_text){.colour = XB_COLOUR_MUTED, .down = 14, .anchor = XB_MIDDLE}, xb_name_size(lowest, size));
  }
}

static void draw(xb_figure *figure, const lines *l)
{
  xb_chart *chart = &figure->chart;
  char text[XB_LONG_NAME], name[XB_NAME];
  const double top = l->scale.top, end = l->only ? 1.3 * top : 1.06 * top;
  const bool copy_shown = l->copy <= top, peak_shown = l->peak <= top;
  xb_chart_size(chart, HEIGHT, 48, room_for_names(l), 26, 52);
  draw_axes(chart, l, end);
  for (size_t k = 0; k < l->count; k++) {
    snprintf(text, sizeof text, "%s%s%s", xb_name_variant(l->at[k].variant, name), l->only ? "" : ", ",
             l->only ? "" : l->at[k].target->name);
    xb_figure_legend(figure, XB_MARK_POINT, slot_of(l, k), (int)k, text);
  }
  if (l->model)
    xb_figure_legend(figure, XB_MARK_DASHES, 0, 0, "predicted by the model");
  xb_figure_roof(figure, l->peak, peak_shown, "theoretical peak,", XB_MARK_LINE);
  xb_figure_roof(figure, l->copy, copy_shown, "measured copy, up to", XB_MARK_DASHES);
  if (peak_shown)
    xb_draw_across(chart, 'y', l->peak, (xb_pen){XB_COLOUR_PEAK, 1.5, false});
  draw_cache(figure, l);
  for (size_t k = 0; k < l->count; k++)
    draw_line(chart, l, k, false);
  for (size_t k = 0; k < l->count && l->model; k++)
    draw_line(chart, l, k, true);
  if (copy_shown)
    draw_copy(chart, l);
  if (l->axis < 0)
    name_odd(chart, l);
  name_lines(chart, l);
}

static void chart(xb_report *report, lines *l)
{
  xb_figure figure;
  if (!(l->most > l->least) || !xb_figure_begin(report, &figure))
    return;
  l->scale = xb_scale_find(report->view, l->drawn, l->axis < 0 ? xb_same_question : xb_same_size, l->axis,
                           l->only ? BEYOND / 10 : BEYOND);
  draw(&figure, l);
  tabulate(&figure, l);
  say(&figure, l);
  xb_figure_end(report, &figure);
}

/* Draws one chart or, if it would have too many lines or several metrics, one per target or per variant. */
static void charts(xb_report *report, const lines *all)
{
  lines l = *all;
  find_lines(&l);
  if (l.in_all <= MOST_TOGETHER && !l.mixed) {
    chart(report, &l);
    return;
  }
  for (size_t t = 0; t < l.file->document->device_count && l.axis < 0 && !l.mixed; t++) {
    lines one = *all;
    one.only = &l.file->targets[t];
    find_lines(&one);
    chart(report, &one);
  }
  for (size_t i = l.from; i < l.to && (l.axis >= 0 || l.mixed); i++) {
    lines one = *all;
    size_t first = l.from;
    while (strcmp(l.file->cells[first]->variant, l.file->cells[i]->variant) != 0)
      first++;
    one.variant = l.file->cells[i]->variant;
    find_lines(&one);
    if (first == i)
      chart(report, &one);
  }
}

/* One for each place on the axes that the smallest size has; with many places, only for the first one. */
void xb_bandwidth(xb_report *report, const xb_view_file *file, size_t from, size_t to)
{
  const size_t end = xb_view_end(file, from, xb_same_size);
  const xb_result *at[MOST_PLACES];
  size_t places = 0;
  for (size_t i = from; i < end; i++)
    if (i == from || xb_compare_at(file->cells[i], file->cells[i - 1]))
      at[places++ % MOST_PLACES] = file->cells[i];
  if (places > MOST_PLACES)
    at[0] = file->cells[from];
  for (size_t p = 0; p < (places > MOST_PLACES ? 1 : places) && end < to; p++)
    charts(report, &(lines){.file = file, .from = from, .to = to, .axis = -1, .like = at[p], .axes_vary = places > 1});
}

void xb_axes(xb_report *report, const xb_view_file *file, size_t from, size_t to)
{
  size_t sizes = 0;
  for (size_t i = from; i < to; i = xb_view_end(file, i, xb_same_size))
    sizes++;
  for (size_t i = from, end; i < to; i = end) {
    end = xb_view_end(file, i, xb_same_size);
    for (size_t a = 0; a < file->cells[i]->at.count && (sizes <= MOST_SIZES || end == to); a++)
      charts(report, &(lines){.file = file, .from = i, .to = end, .axis = (int)a, .like = file->cells[i]});
  }
}
