/* Time and occupancy against the group size: cells that differ in nothing else. A run has one group size, so the points
 * come from several files. Occupancy is what the driver tells of the kernel, and what groups count that count
 * themselves. */
#include "report/charts/charts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 3 }; /* group sizes of a chart */

typedef struct point {
  const xb_view_target *target;
  const xb_result *cell;
} point;

typedef struct cells {
  point *points; /* by target, then by group size */
  size_t count;
} cells;

/* Threads that a multiprocessor holds at a time; NAN if unknown. */
static double told(const xb_result *cell)
{
  return cell->code.groups_per_multiprocessor ? (double)(cell->code.groups_per_multiprocessor * cell->work.block) : NAN;
}

static double counted(const xb_result *cell)
{
  const xb_metric *threads = xb_result_metric(cell, NULL, "threads/SM");
  return threads ? threads->value : NAN;
}

static double known(const xb_result *cell)
{
  return isfinite(counted(cell)) ? counted(cell) : told(cell);
}

static bool same_cells(const xb_result *a, const xb_result *b)
{
  return xb_same_size(a, b) && !strcmp(a->variant, b->variant) && !xb_compare_at(a, b) &&
         xb_same_text(a->on->uuid, b->on->uuid) && !strcmp(a->conditions.cache, b->conditions.cache) &&
         xb_same_text(a->conditions.loop, b->conditions.loop);
}

static int by_target(const void *a, const void *b)
{
  const point *p = a, *q = b;
  const int order = p->target->slot - q->target->slot, name = strcmp(p->target->name, q->target->name);
  return order  ? order
         : name ? name
                : (p->cell->work.block > q->cell->work.block) - (p->cell->work.block < q->cell->work.block);
}

static bool begins_line(const cells *c, size_t i)
{
  return !i || strcmp(c->points[i].target->name, c->points[i - 1].target->name) != 0;
}

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

static double us(const xb_result *cell)
{
  return cell->time.median_ns / 1e3;
}

static double most_of(const cells *c, double (*value)(const xb_result *cell))
{
  double most = 0;
  for (size_t i = 0; i < c->count; i++)
    most = fmax(most, value(c->points[i].cell));
  return most;
}

/* A line for each target that has a value. */
static void draw_lines(xb_chart *chart, const cells *c, double (*value)(const xb_result *cell), bool dashed)
{
  for (size_t i = 0, end, line = 0; i < c->count; i = end, line++) {
    const xb_pen pen = {XB_COLOUR_SERIES + c->points[i].target->slot, 2, dashed};
    xb_path path = xb_path_begin(chart, pen, (int)line);
    for (end = i; end < c->count && (end == i || !begins_line(c, end)); end++)
      if (isfinite(value(c->points[end].cell)))
        xb_path_to(&path, (double)c->points[end].cell->work.block, value(c->points[end].cell));
    xb_path_end(&path);
  }
}

/* The upper panel has the times, the lower one the occupancy. */
static void draw(xb_figure *figure, const cells *c)
{
  xb_chart *chart = &figure->chart;
  double least = INFINITY, most = 0;
  for (size_t i = 0, line = 0; i < c->count; i++) {
    least = fmin(least, (double)c->points[i].cell->work.block);
    most = fmax(most, (double)c->points[i].cell->work.block);
    if (begins_line(c, i))
      xb_figure_legend(figure, XB_MARK_POINT, c->points[i].target->slot, (int)line++, c->points[i].target->name);
  }
  if (most_of(c, counted) > 0)
    xb_figure_legend(figure, XB_MARK_DASHES, 0, 0, "counted by the groups");
  xb_chart_size(chart, 400, 54, 21, 26, 240);
  xb_size_axis(chart, least, most);
  xb_linear_axis(chart, 'y', 0, 1.06 * most_of(c, us), 0);
  xb_chart_titles(chart, NULL, "time of a run, us");
  draw_lines(chart, c, us, false);
  xb_chart_size(chart, 400, 54, 21, 220, 52);
  xb_size_axis(chart, least, most);
  xb_linear_axis(chart, 'y', 0, 1.06 * fmax(most_of(c, told), most_of(c, counted)), 0);
  xb_chart_titles(chart, "threads of a group (log scale)", "threads that a multiprocessor holds");
  draw_lines(chart, c, told, false);
  draw_lines(chart, c, counted, true);
}

/* ---- Texts and table -------------------------------------------------------------------------------------------- */

static void tabulate(xb_figure *figure, const cells *c)
{
  xb_figure_table(figure, "t0n0nt", "API", "threads of a group", "time, us", "threads told", "threads counted", "file");
  for (const point *p = c->points; p && p < c->points + c->count; p++)
    xb_figure_row(figure, p->target->name, (double)p->cell->work.block, us(p->cell), told(p->cell), counted(p->cell),
                  p->target->file->name);
}

/* The shortest time of each line. */
static void say(xb_figure *figure, const cells *c)
{
  char question[XB_NAME], name[XB_NAME], time[XB_NAME];
  XB_ADD(figure->title, "%s %s, %s: time and occupancy by group size", c->points->cell->benchmark,
         xb_name_variant(c->points->cell->variant, name), xb_name_question(c->points->cell, question));
  for (size_t i = 0, best; i < c->count; i++) {
    if (!begins_line(c, i))
      continue;
    best = i;
    for (size_t k = i + 1; k < c->count && !begins_line(c, k); k++)
      best = us(c->points[k].cell) < us(c->points[best].cell) ? k : best;
    const xb_result *fastest = c->points[best].cell;
    XB_ADD(figure->takeaway, "%s%s is fastest with groups of %" PRIu64, i ? "; " : "", c->points[best].target->name,
           fastest->work.block);
    for (size_t k = i; k < c->count && (k == i || !begins_line(c, k)); k++)
      if (k != best && fastest->time.ci95_ns.high >= c->points[k].cell->time.ci95_ns.low)
        XB_ADD(figure->takeaway, " or %" PRIu64 " (not distinguishable)", c->points[k].cell->work.block);
    XB_ADD(figure->takeaway, ": %s", xb_name_time(fastest->time.median_ns, time));
    if (isfinite(known(c->points[best].cell)))
      XB_ADD(figure->takeaway, ", %.4g threads a multiprocessor", known(c->points[best].cell));
  }
  XB_ADD(figure->takeaway, ".");
  XB_ADD(figure->source, "the files named in the table");
}

static void write_chart(xb_report *report, cells *c)
{
  xb_figure figure;
  if (!xb_figure_begin(report, &figure))
    return;
  draw(&figure, c);
  tabulate(&figure, c);
  say(&figure, c);
  xb_figure_end(report, &figure);
}

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

/* Collects the cells that are like `first`, the first one of them in all files. False: no chart. */
static bool collect(const xb_view *view, const xb_result *first, cells *c)
{
  size_t sizes = 0;
  bool any = false;
  c->count = 0;
  for (size_t f = 0; f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].cell_count; i++) {
      const xb_view_file *file = &view->files[f];
      const xb_result *cell = file->cells[i];
      if (cell->outcome != XB_CELL_OK || !cell->work.block || !same_cells(first, cell))
        continue;
      if (!c->count && cell != first)
        return false; /* seen before */
      bool is_new = true;
      for (size_t k = 0; k < c->count; k++)
        is_new = is_new && c->points[k].cell->work.block != cell->work.block;
      sizes += is_new;
      any |= isfinite(known(cell));
      c->points[c->count++] = (point){xb_view_target_of(file, cell), cell};
    }
  if (sizes < FEWEST || !any)
    return false;
  qsort(c->points, c->count, sizeof *c->points, by_target);
  return true;
}

void xb_report_group_sizes(xb_report *report)
{
  const xb_view *view = report->view;
  size_t most = 1;
  if (view->file_count < FEWEST)
    return;
  for (size_t f = 0; f < view->file_count; f++)
    most += view->files[f].cell_count;
  cells c = {.points = calloc(most, sizeof *c.points)};
  if (!c.points)
    xb_report_out_of_memory(report);
  for (size_t f = 0; f < view->file_count && c.points; f++)
    for (size_t i = 0; i < view->files[f].cell_count; i++)
      if (collect(view, view->files[f].cells[i], &c))
        write_chart(report, &c);
  free(c.points);
}
