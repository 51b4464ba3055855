/* Time and occupancy against the group size: cells that differ in nothing else. A run has one group size, so the points
 * come from several files. Occupancy is what the driver tells of the kernel, and what groups count that count
 * themselves. */
#include "page/charts/charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 400, FEWEST = 3 /* group sizes of a chart */ };
/* The upper panel has the times, the lower one the occupancy; both have the same width. */
static const double LEFT = 0.13, RIGHT = 0.95, TOP = 1 - 26. / HEIGHT, MIDDLE = 0.6, BELOW = 0.45,
                    BOTTOM = 52. / HEIGHT;

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
  return cell->groups_per_multiprocessor ? (double)(cell->groups_per_multiprocessor * cell->block) : NAN;
}

static double counted(const xb_result *cell)
{
  for (size_t i = 0; i < cell->metrics.count; i++)
    if (!strcmp(cell->metrics.values[i].unit, "threads/SM"))
      return cell->metrics.values[i].value;
  return NAN;
}

static double known(const xb_result *cell)
{
  return isfinite(counted(cell)) ? counted(cell) : told(cell);
}

static bool same_cells(const xb_result *a, const xb_result *b)
{
  return xb_same_size(a, b) && !strcmp(a->variant, b->variant) && !xb_compare_at(a, b) &&
         xb_same_text(a->on->uuid, b->on->uuid) && !strcmp(a->cache, b->cache) && xb_same_text(a->loop, b->loop);
}

static int by_target(const void *a, const void *b)
{
  const point *p = a, *q = b;
  const int order = p->target->slot - q->target->slot, name = strcmp(p->target->name, q->target->name);
  return order ? order : name ? name : (p->cell->block > q->cell->block) - (p->cell->block < q->cell->block);
}

static bool begins_line(const cells *c, size_t i)
{
  return !i || strcmp(c->points[i].target->name, c->points[i - 1].target->name) != 0;
}

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

/* A data block for each line. */
static void put_points(FILE *script, const cells *c, const char *name, double (*value)(const xb_result *cell))
{
  for (size_t i = 0, line = 0; i < c->count; i++) {
    if (begins_line(c, i))
      fprintf(script, "%s$%s%zu << EOD\n", i ? "EOD\n" : "", name, line++);
    if (isfinite(value(c->points[i].cell)))
      fprintf(script, "%llu %.9g\n", (unsigned long long)c->points[i].cell->block, value(c->points[i].cell));
  }
  fputs("EOD\n", script);
}

static bool has(const cells *c, size_t first, double (*value)(const xb_result *cell))
{
  for (size_t i = first; i < c->count && (i == first || !begins_line(c, i)); i++)
    if (isfinite(value(c->points[i].cell)))
      return true;
  return false;
}

/* Draws the lines that have a value. Returns the number of those drawn so far. */
static size_t plot(FILE *script, const cells *c, const char *name, double (*value)(const xb_result *cell),
                   const char *dashes, size_t drawn)
{
  for (size_t i = 0, line = 0; i < c->count; i++)
    if (begins_line(c, i)) {
      if (has(c, i, value))
        fprintf(script, "%s $%s%zu using 1:2 with linespoints lw 2 pt %d ps 0.8 lc rgb '#0000%02x'%s",
                drawn++ ? "," : "plot", name, line, xb_point_type((int)line),
                XB_COLOUR_SERIES + c->points[i].target->slot, dashes);
      line++;
    }
  return drawn;
}

static double us(const xb_result *cell)
{
  return cell->median_ns / 1e3;
}

static double most_of(const cells *c, double (*value)(const xb_result *cell))
{
  double most = 0;
  for (size_t i = 0; i < c->count; i++)
    most = fmax(most, value(c->points[i].cell));
  return most;
}

static void begin_panel(xb_chart *chart, double most, const char *x, const char *y)
{
  fprintf(chart->script, "set yrange [0:%.9g]\n", 1.06 * most);
  xb_chart_marks(chart, 'y', most);
  xb_chart_axes(chart, x, y);
}

static void draw(xb_figure *figure, const cells *c)
{
  FILE *script = figure->chart.script;
  double least = INFINITY, most = 0;
  bool count_shown = false;
  for (size_t i = 0, line = 0; i < c->count; i++) {
    least = fmin(least, (double)c->points[i].cell->block);
    most = fmax(most, (double)c->points[i].cell->block);
    count_shown |= isfinite(counted(c->points[i].cell));
    if (begins_line(c, i))
      xb_figure_legend(figure, XB_MARK_POINT, c->points[i].target->slot, (int)line++, c->points[i].target->name);
  }
  if (count_shown)
    xb_figure_legend(figure, XB_MARK_DASHES, 0, 0, "counted by the groups");
  put_points(script, c, "time", us);
  put_points(script, c, "told", told);
  put_points(script, c, "counted", counted);
  fputs("set multiplot\n", script);
  xb_size_axis(&figure->chart, least, most);
  begin_panel(&figure->chart, most_of(c, us), NULL, "time of a run, us");
  plot(script, c, "time", us, "", 0);
  fprintf(script, "\nunset label\nset tmargin at screen %g\nset bmargin at screen %g\n", BELOW, BOTTOM);
  begin_panel(&figure->chart, fmax(most_of(c, told), most_of(c, counted)), "threads of a group (log scale)",
              "threads that a multiprocessor holds");
  plot(script, c, "counted", counted, " dt '-'", plot(script, c, "told", told, "", 0));
  fputs("\nunset multiplot\n", script);
}

/* ---- Texts and table -------------------------------------------------------------------------------------------- */

static void tabulate(xb_data_table *table, const cells *c)
{
  xb_data_table_begin(table, "t0n0nt", "API", "threads of a group", "time, us", "threads told", "threads counted",
                      "file");
  for (const point *p = c->points; p < c->points + c->count; p++)
    xb_data_table_row(table, p->target->name, (double)p->cell->block, us(p->cell), told(p->cell), counted(p->cell),
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
    XB_ADD(figure->takeaway, "%s%s is fastest with groups of %llu: %s", i ? "; " : "", c->points[best].target->name,
           (unsigned long long)c->points[best].cell->block, xb_name_time(c->points[best].cell->median_ns, time));
    if (isfinite(known(c->points[best].cell)))
      XB_ADD(figure->takeaway, ", %.4g threads a multiprocessor", known(c->points[best].cell));
  }
  XB_ADD(figure->takeaway, ".");
  XB_ADD(figure->source, "the files named in the table");
}

static void write_chart(xb_page *page, cells *c)
{
  xb_figure figure;
  if (!xb_figure_begin(page, &figure, HEIGHT, LEFT, RIGHT, TOP, MIDDLE))
    return;
  draw(&figure, c);
  tabulate(&figure.table, c);
  say(&figure, c);
  xb_figure_end(page, &figure);
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
      if (cell->outcome != XB_CELL_OK || !cell->block || !same_cells(first, cell))
        continue;
      if (!c->count && cell != first)
        return false; /* seen before */
      bool is_new = true;
      for (size_t k = 0; k < c->count; k++)
        is_new = is_new && c->points[k].cell->block != cell->block;
      sizes += is_new;
      any |= isfinite(known(cell));
      c->points[c->count++] = (point){xb_view_target_of(file, cell), cell};
    }
  if (sizes < FEWEST || !any)
    return false;
  qsort(c->points, c->count, sizeof *c->points, by_target);
  return true;
}

void xb_page_group_sizes(xb_page *page)
{
  const xb_view *view = page->view;
  size_t most = 1;
  if (view->file_count < FEWEST)
    return;
  for (size_t f = 0; f < view->file_count; f++)
    most += view->files[f].cell_count;
  cells c = {.points = calloc(most, sizeof *c.points)};
  if (!c.points)
    xb_page_out_of_memory(page);
  for (size_t f = 0; f < view->file_count && c.points; f++)
    for (size_t i = 0; i < view->files[f].cell_count; i++)
      if (collect(view, view->files[f].cells[i], &c))
        write_chart(page, &c);
  free(c.points);
}
