/* Dots on a logarithmic time axis, for benchmarks without bandwidth, such as launch. */
#include "page/charts/charts.h"

#include <math.h>

enum { MOST_ROWS = 60, DOT = 17, GAP = 10, NAME_CHARACTERS = 23 };

static bool drawn(const xb_result *cell)
{
  return cell->outcome == XB_CELL_OK && cell->median_ns > 0;
}

/* The targets of a row are below each other, so that their times do not overlap. */
static double place(const xb_view_file *file, int row, const xb_result *cell)
{
  const int targets = (int)file->document->device_count;
  return row + (double)DOT / (DOT * targets + GAP) *
                   ((double)(xb_view_target_of(file, cell) - file->targets) - (targets - 1) / 2.);
}

static void add_legend(xb_figure *figure, const xb_view_file *file, size_t from, size_t to)
{
  for (size_t t = 0; t < file->document->device_count && t < XB_VIEW_SLOTS; t++)
    for (size_t i = from; i < to; i++)
      if (xb_view_target_of(file, file->cells[i]) == &file->targets[t]) {
        xb_figure_legend(figure, XB_MARK_POINT, file->targets[t].slot, file->targets[t].slot, file->targets[t].name);
        break;
      }
}

/* `scale` is that of all files. */
static void draw(xb_figure *figure, const xb_view_file *file, size_t from, size_t to, int rows, const xb_scale *scale)
{
  xb_chart *chart = &figure->chart;
  char text[XB_NAME];
  int row = -1;
  const double low = scale->shortest_ns / 1e3, high = scale->longest_ns / 1e3;
  xb_interval range = {low / 1.8, high * pow(high / low, 0.4)}; /* with room for the last time */
  xb_chart_size(chart, rows * (DOT * (int)file->document->device_count + GAP) + 70, 172, 21, 14, 56);
  xb_row_axis(chart, (size_t)rows);
  xb_factor_axis(chart, 'x', &range, true);
  for (size_t i = from; i < to; i++)
    if (xb_begins_variant(file, from, i))
      xb_chart_mark(chart, 'y', ++row, xb_name_variant(file->cells[i]->variant, text), NAME_CHARACTERS, true);
  row = -1;
  for (size_t i = from; i < to; i++) {
    const xb_result *cell = file->cells[i];
    const int slot = xb_view_target_of(file, cell)->slot;
    row += xb_begins_variant(file, from, i);
    const double y = place(file, row, cell), us = cell->median_ns / 1e3;
    if (drawn(cell)) {
      xb_draw_point(chart, XB_COLOUR_SERIES + slot, slot, us, y);
      xb_draw_text(chart, us, y, (xb_text){.right = 8}, xb_name_time(cell->median_ns, text));
    } else
      xb_draw_text(chart, range.low, y, (xb_text){.right = 4}, xb_outcome_words(cell));
  }
  xb_chart_titles(chart, "time, us (log scale)", NULL);
}

static void tabulate(xb_figure *figure, const xb_view_file *file, size_t from, size_t to)
{
  xb_figure_table(figure, "ttttnnnt", "variant", "what", "API", "clock", "time, us", "95 % from, us", "to, us",
                  "result");
  for (size_t i = from; i < to; i++) {
    const xb_result *cell = file->cells[i];
    xb_figure_row(figure, cell->variant, cell->title, xb_view_target_of(file, cell)->name, cell->clock,
                  cell->median_ns / 1e3, cell->ci95_ns.low / 1e3, cell->ci95_ns.high / 1e3,
                  cell->error ? cell->error : xb_outcome_words(cell));
  }
}

void xb_times(xb_page *page, const xb_view_file *file, size_t from, size_t to)
{
  xb_figure figure;
  char question[XB_NAME], time[XB_NAME], name[XB_NAME];
  const xb_result *least = NULL;
  int rows = 0;
  size_t end = from;
  for (; end < to && rows < MOST_ROWS; end++) {
    const xb_result *cell = file->cells[end];
    rows += xb_begins_variant(file, from, end);
    if (drawn(cell) && (!least || cell->median_ns < least->median_ns))
      least = cell;
  }
  if (!least || !xb_figure_begin(page, &figure))
    return;
  add_legend(&figure, file, from, end);
  const xb_scale scale = xb_scale_find(page->view, file->cells[from], xb_same_size, -1, 1);
  draw(&figure, file, from, end, rows, &scale);
  tabulate(&figure, file, from, end);
  XB_ADD(figure.title, "%s, %s: times", file->cells[from]->benchmark, xb_name_question(file->cells[from], question));
  XB_ADD(figure.takeaway, "Shortest: %s through %s, %s.", xb_name_variant(least->variant, name),
         xb_view_target_of(file, least)->name, xb_name_time(least->median_ns, time));
  XB_ADD(figure.source, "%s; %s cache", file->name, file->cells[from]->cache);
  xb_figure_end(page, &figure);
}
