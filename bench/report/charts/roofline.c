/* The roofline of a device: operations a second against operations a byte, for each cell whose operations are counted.
 * The roof on the left is memory bandwidth: the measured copy, and the theoretical peak. On the right it is the float32
 * multiply-adds that `instructions` measured in the same files, two operations each: no API tells a peak. What does not
 * use these, such as a tensor core, may lie above it. */
#include "report/charts/charts.h"
#include "result/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ONE_INTENSITY = 1.05; /* points that differ by less are one column, which says nothing of a roof */
static const double LEFT = 0.1, RIGHT = 1000, ABOVE = 30; /* operations a byte; room for the roof above the points */

typedef struct point {
  const xb_view_target *target;
  const xb_result *cell;
  double x, y; /* operations a byte; 10^12 operations a second */
  bool fits;   /* in the last-level cache */
} point;

typedef struct roofline {
  const xb_view_target *of; /* the first target of the device */
  bool several;             /* there are other devices of this name */
  point *points;
  size_t count;
  const point *best;  /* the highest; of those beyond the cache, if there are any */
  double low, high;   /* of the points */
  double left, right; /* their operations a byte */
  double copy;        /* GB/s; NAN if unknown */
  double operations;  /* 10^12 a second; 0 if unknown */
} roofline;

static bool same_device(const xb_result_device *a, const xb_result_device *b)
{
  return xb_same_text(a->uuid, b->uuid) && (a->uuid || !strcmp(a->name, b->name));
}

static bool is_timed(const xb_result *cell)
{
  return cell->outcome == XB_CELL_OK && cell->time.median_ns > 0 && cell->work.bytes &&
         !xb_same_text(cell->conditions.loop, "kernel");
}

/* The best copy in the rounds of a cell, which may be a copy itself. */
static double copy_of(const xb_result *cell)
{
  const double own = (double)cell->work.bytes / cell->time.median_ns;
  return cell->yardstick == 1 ? own : cell->rates.percent_of_copy > 0 ? 100 * own / cell->rates.percent_of_copy : NAN;
}

/* Of float32 multiply-adds; 0: the cell measures something else. */
static double operations_of(const xb_result *cell)
{
  const xb_peak *peak = xb_peaks;
  while (strcmp(peak->title, "float32 multiply-adds") != 0)
    peak++;
  return xb_is_peak(peak, cell) && xb_has_value(cell) ? 2 * xb_result_value(cell) / 1e3 : 0;
}

static void add_cell(roofline *r, const xb_view_file *file, const xb_result *cell)
{
  const bool fits = (double)cell->work.bytes <= r->of->cache;
  if (!same_device(cell->on, r->of->device))
    return;
  if (cell->outcome == XB_CELL_OK)
    r->operations = fmax(r->operations, operations_of(cell));
  if (!is_timed(cell))
    return;
  if (!fits)
    r->copy = fmax(r->copy, copy_of(cell));
  if (cell->yardstick == 1 || cell->work.flops <= 0)
    return;
  point *p = &r->points[r->count++];
  *p = (point){xb_view_target_of(file, cell), cell, (double)cell->work.flops / (double)cell->work.bytes,
               (double)cell->work.flops / cell->time.median_ns / 1e3, fits};
  r->low = fmin(r->low, p->y);
  r->high = fmax(r->high, p->y);
  r->left = fmin(r->left, p->x);
  r->right = fmax(r->right, p->x);
  if (!r->best || (fits == r->best->fits ? p->y > r->best->y : !fits))
    r->best = p;
}

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

static void draw_roof(xb_figure *figure, double gbps, const char *what, xb_legend_mark mark)
{
  const xb_chart_axis *y = &figure->chart.y;
  const double slope = gbps / 1e3, from = fmax(LEFT, y->low / slope), to = fmin(RIGHT, y->high / slope);
  const bool dashes = mark == XB_MARK_DASHES;
  xb_figure_roof(figure, gbps, true, what, mark);
  if (gbps > 0 && from < to)
    xb_draw_line(&figure->chart, (xb_pen){dashes ? XB_COLOUR_COPY : XB_COLOUR_PEAK, 1.5, dashes}, from, from * slope,
                 to, to * slope);
}

/* From where the measured copy allows as many, or from the left. */
static void draw_operations(xb_figure *figure, const roofline *r)
{
  const xb_chart_axis *y = &figure->chart.y;
  const double from = r->copy > 0 ? fmax(LEFT, 1e3 * r->operations / r->copy) : LEFT;
  char text[XB_LONG_NAME], value[XB_NAME];
  if (!(r->operations > 0))
    return;
  const bool inside = r->operations > y->low && r->operations < y->high && from < RIGHT;
  snprintf(text, sizeof text, "measured float32 multiply-adds, %s x 10^12 operations/s%s",
           xb_name_figure(r->operations, value), inside ? "" : ", outside the chart");
  xb_figure_legend(figure, XB_MARK_DASHES, 0, 0, text);
  if (inside)
    xb_draw_line(&figure->chart, (xb_pen){XB_COLOUR_COPY, 1.5, true}, from, r->operations, RIGHT, r->operations);
}

/* Each benchmark's name is beside its highest point. */
static void name_points(xb_figure *figure, const roofline *r)
{
  for (size_t i = 0; i < r->count; i++) {
    const point *top = &r->points[i];
    for (size_t k = 0; k < r->count; k++) {
      const point *p = &r->points[k];
      if (!strcmp(p->cell->benchmark, top->cell->benchmark) && (p->y > top->y || (p->y == top->y && p < top)))
        top = p;
    }
    if (top == &r->points[i])
      xb_draw_text(&figure->chart, top->x, top->y, (xb_text){.right = 8}, top->cell->benchmark);
  }
}

static void draw(xb_figure *figure, const roofline *r)
{
  xb_chart *chart = &figure->chart;
  bool shown[XB_VIEW_SLOTS] = {0}, hollow = false;
  xb_chart_size(chart, 330, 54, 21, 26, 52);
  xb_decade_axis(chart, 'y', r->low / 2, fmax(r->high * ABOVE, 2 * r->operations));
  xb_decade_axis(chart, 'x', LEFT, RIGHT);
  xb_chart_titles(chart, "operations a byte (log scale)", "10^12 operations/s (log scale)");
  for (const point *p = r->points; p && p < r->points + r->count; p++) {
    const int slot = p->target->slot;
    if (!shown[slot])
      xb_figure_legend(figure, XB_MARK_POINT, slot, slot % XB_HOLLOW, p->target->name);
    shown[slot] = true;
    hollow |= p->fits;
  }
  if (hollow)
    xb_figure_legend(figure, XB_MARK_POINT, r->of->slot, XB_HOLLOW, "hollow: fits in the last-level cache");
  draw_roof(figure, r->of->peak, "theoretical peak,", XB_MARK_LINE);
  draw_roof(figure, r->copy, "measured copy,", XB_MARK_DASHES);
  draw_operations(figure, r);
  for (const point *p = r->points; p && p < r->points + r->count; p++)
    xb_draw_point(chart, XB_COLOUR_SERIES + p->target->slot, p->target->slot % XB_HOLLOW + (p->fits ? XB_HOLLOW : 0),
                  p->x, p->y);
  name_points(figure, r);
}

/* ---- Texts and table -------------------------------------------------------------------------------------------- */

/* True if multiply-adds, and not the copy, bound a cell that uses them. */
static bool under_operations(const roofline *r, const point *p)
{
  return p->y <= r->operations && !(!p->fits && p->x * r->copy / 1e3 < r->operations);
}

/* In percent of what the measured copy or the measured multiply-adds allow, the lower one; NAN if they say nothing. */
static double of_roof(const roofline *r, const point *p)
{
  return under_operations(r, p) ? 100 * p->y / r->operations : p->fits ? NAN : 1e5 * p->y / (p->x * r->copy);
}

static void tabulate(xb_figure *figure, const roofline *r)
{
  char question[XB_NAME], variant[XB_NAME];
  xb_figure_table(figure, "tttnn1t", "cell", "variant", "API", "ops a byte", "10^12 ops/s", "% of roof", "file");
  for (const point *p = r->points; p && p < r->points + r->count; p++) {
    snprintf(variant, sizeof variant, "%.60s/%.90s", p->cell->benchmark, p->cell->variant);
    xb_figure_row(figure, xb_name_question(p->cell, question), variant, p->target->name, p->x, p->y, of_roof(r, p),
                  p->target->file->name);
  }
}

static void say(xb_figure *figure, const roofline *r)
{
  char name[XB_NAME], value[XB_NAME], intensity[XB_NAME], question[XB_NAME];
  const xb_result *best = r->best->cell;
  XB_ADD(figure->title, "%s: roofline", r->of->device->name);
  if (r->several && r->of->device->uuid)
    XB_ADD(figure->title, " of %.8s", r->of->device->uuid);
  XB_ADD(figure->takeaway, "%s: %s %s, %s, through %s: %s x 10^12 operations/s at %s operations a byte",
         r->best->fits ? "Highest" : "Highest beyond the cache", best->benchmark, xb_name_variant(best->variant, name),
         xb_name_question(best, question), r->best->target->name, xb_name_figure(r->best->y, value),
         xb_name_figure(r->best->x, intensity));
  if (of_roof(r, r->best) > 0)
    XB_ADD(figure->takeaway, ", %.0f %% of what the measured %s", of_roof(r, r->best),
           under_operations(r, r->best) ? "float32 multiply-adds allow" : "copy allows");
  XB_ADD(figure->takeaway, ".");
  XB_ADD(figure->source, "the files named in the table");
}

static void chart(xb_report *report, roofline *r)
{
  xb_figure figure;
  if (!r->best || !(r->right > ONE_INTENSITY * r->left) || !xb_figure_begin(report, &figure))
    return;
  draw(&figure, r);
  tabulate(&figure, r);
  say(&figure, r);
  xb_figure_end(report, &figure);
}

/* ---- Devices ---------------------------------------------------------------------------------------------------- */

/* False: an earlier target is of the same device. */
static bool survey(roofline *r, const xb_view *view)
{
  for (const xb_view_target *t = view->targets; t && t < view->targets + view->target_count; t++) {
    if (t < r->of && same_device(t->device, r->of->device))
      return false;
    r->several |= !strcmp(t->device->name, r->of->device->name) && !same_device(t->device, r->of->device);
  }
  for (size_t f = 0; f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].document->result_count; i++)
      add_cell(r, &view->files[f], &view->files[f].document->results[i]);
  return true;
}

void xb_report_rooflines(xb_report *report)
{
  const xb_view *view = report->view;
  size_t most = 0;
  for (size_t f = 0; f < view->file_count; f++)
    most += view->files[f].document->result_count;
  point *points = calloc(most + 1, sizeof *points);
  if (!points)
    xb_report_out_of_memory(report);
  for (size_t t = 0; t < view->target_count && points; t++) {
    roofline r = {.of = &view->targets[t], .points = points, .low = INFINITY, .left = INFINITY, .copy = NAN};
    if (survey(&r, view))
      chart(report, &r);
  }
  free(points);
}
