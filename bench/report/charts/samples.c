/* The samples of each cell, as strips: a row for each cell, where a column of the strip is as high as many of its
 * samples lie there. All are relative to the cell's median, so that cells of any time have one axis. */
#include "report/charts/charts.h"

#include <math.h>
#include <stdlib.h>

enum { ROW = 26, MOST_ROWS = 40, BINS = 121 };
static const double HALF = 0.36;       /* of the highest column, in rows */
static const double LEAST_WIDTH = 0.1; /* percent: half of the axis */
static const double SHOWN = 0.98;      /* of a cell's samples; those further outside are at the ends of the axis */

typedef struct deviation {
  double low, high; /* percent, of all samples */
  double width;     /* so far from the median are nearly all */
} deviation;

static double percent(const xb_result *cell, size_t i)
{
  return 100 * (cell->time.samples_ns.values[i] / cell->time.median_ns - 1);
}

bool xb_has_samples(const xb_result *cell)
{
  return cell->outcome == XB_CELL_OK && cell->time.median_ns > 0 && cell->time.samples_ns.count > 1;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static deviation deviation_of(const xb_result *cell, double *scratch)
{
  const size_t count = cell->time.samples_ns.count;
  deviation d = {.low = INFINITY, .high = -INFINITY};
  for (size_t i = 0; i < count; i++) {
    d.low = fmin(d.low, percent(cell, i));
    d.high = fmax(d.high, percent(cell, i));
    scratch[i] = fabs(percent(cell, i));
  }
  qsort(scratch, count, sizeof *scratch, by_size);
  d.width = scratch[(size_t)(SHOWN * (double)(count - 1))];
  return d;
}

/* To 1, 2 or 5 of a power of ten. */
static double round_up(double value)
{
  const double power = pow(10, floor(log10(value))), part = value / power;
  return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static void draw_strip(xb_chart *chart, const xb_result *cell, int slot, double row)
{
  size_t bins[BINS] = {0}, most = 0;
  const double low = chart->x.low, wide = (chart->x.high - low) / BINS;
  for (size_t i = 0; i < cell->time.samples_ns.count; i++) {
    size_t *bin = &bins[(size_t)fmin(fmax((percent(cell, i) - low) / wide, 0), BINS - 1)];
    most = ++*bin > most ? *bin : most;
  }
  xb_path path = xb_path_begin(chart, (xb_pen){XB_COLOUR_SERIES + slot, 2, false}, XB_NO_SHAPE);
  for (size_t b = 0; b < BINS; b++) {
    const double x = low + ((double)b + 0.5) * wide, half = HALF * sqrt((double)bins[b] / (double)most);
    path.open = false;
    if (bins[b])
      xb_path_to(&path, x, row - half);
    if (bins[b])
      xb_path_to(&path, x, row + half);
  }
  xb_path_end(&path);
}

/* Cells [from, to), of one question. */
static void chart(xb_report *report, const xb_view_file *file, const xb_result *const *cells, size_t count,
                  double *scratch)
{
  xb_figure figure;
  char name[XB_NAME], text[XB_NAME];
  double width = LEAST_WIDTH;
  if (!xb_figure_begin(report, &figure))
    return;
  for (size_t i = 0; i < count; i++)
    width = fmax(width, deviation_of(cells[i], scratch).width);
  width = round_up(width);
  xb_chart_size(&figure.chart, (int)count * ROW + 62, 160, 106, 10, 50);
  xb_row_axis(&figure.chart, count);
  xb_linear_axis(&figure.chart, 'x', -width, width, width / 2);
  xb_chart_titles(&figure.chart, "deviation from the cell's median, %", NULL);
  xb_figure_table(&figure, "ttt0nnnn0", "cell", "variant", "API", "samples", "median, us", "lowest, %", "highest, %",
                  "spread, %", "outliers");
  for (size_t i = 0; i < count; i++) {
    const xb_result *cell = cells[i];
    const xb_view_target *target = xb_view_target_of(file, cell);
    const deviation d = deviation_of(cell, scratch);
    bool first = true;
    for (size_t k = 0; k < i; k++)
      first &= cells[k]->on != cell->on;
    if (first)
      xb_figure_legend(&figure, XB_MARK_BAR, target->slot, 0, target->name);
    xb_name_variant(cell->variant, name);
    if (cell->at.count) {
      char at[XB_AT_TEXT];
      xb_append(name, sizeof name, ", %s", xb_result_at(cell, at));
    }
    xb_chart_mark(&figure.chart, 'y', (double)i, name, 21, false);
    draw_strip(&figure.chart, cell, target->slot, (double)i);
    snprintf(text, sizeof text, "%+.*f to %+.*f", d.low > -10, d.low, d.high < 10, d.high);
    xb_draw_text(&figure.chart, figure.chart.x.high, (double)i, (xb_text){.right = 5, .characters = 12}, text);
    xb_figure_row(&figure, xb_name_question(cell, text), cell->variant, target->name,
                  (double)cell->time.samples_ns.count, cell->time.median_ns / 1e3, d.low, d.high,
                  100 * cell->time.spread_ns / cell->time.median_ns, (double)cell->time.outliers);
  }
  XB_ADD(figure.title, "%s, %s %s: samples", cells[0]->benchmark, xb_name_size(cells[0], name), cells[0]->dtype);
  XB_ADD(figure.takeaway,
         "The height of a column is its number of samples; samples outside the axis are counted at its ends.");
  XB_ADD(figure.source, "%s", file->name);
  xb_figure_end(report, &figure);
}

void xb_samples(xb_report *report, const xb_view_file *file, size_t from, size_t to)
{
  const xb_result *cells[MOST_ROWS];
  size_t count = 0, most = 1;
  for (size_t i = from; i < to; i++)
    most = file->cells[i]->time.samples_ns.count > most ? file->cells[i]->time.samples_ns.count : most;
  double *scratch = calloc(most, sizeof *scratch);
  if (!scratch)
    xb_report_out_of_memory(report);
  for (size_t i = from; i < to && scratch; i++) {
    if (xb_has_samples(file->cells[i]))
      cells[count++] = file->cells[i];
    const bool ends = i + 1 == to || !xb_same_size(file->cells[i], file->cells[i + 1]) || count == MOST_ROWS;
    if (ends && count)
      chart(report, file, cells, count, scratch);
    count = ends ? 0 : count;
  }
  free(scratch);
}
