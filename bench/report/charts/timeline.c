/* Timelines of cells that ran on several queues: a row for each queue, a bar for each list, APIs below each other. Of
 * each variant, the cells with the most bars. */
#include "report/charts/charts.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 40, ROW = 20, MOST_STAGES = XB_VIEW_SLOTS, NAME_CHARACTERS = 24 };

typedef struct timeline {
  const xb_view_file *file;
  size_t from, to;                 /* the cells of a variant at one size */
  const xb_result *shown;          /* cells at its place are drawn */
  const char *stages[MOST_STAGES]; /* of all variants, so that a stage has one colour */
  bool used[MOST_STAGES];
  int stage_count;
  struct {
    const xb_result *cell;
    const char *lane;
  } rows[MOST_ROWS];
  int row_count;
  double longest_ns;
} timeline;

static bool is_drawn(const timeline *t, const xb_result *cell)
{
  return cell->rates.timeline.count && cell->work.size == t->shown->work.size && !xb_compare_at(cell, t->shown);
}

static int stage_of(timeline *t, const char *stage)
{
  int i = 0;
  while (i < t->stage_count && strcmp(t->stages[i], stage) != 0)
    i++;
  if (i == t->stage_count && i < MOST_STAGES)
    t->stages[t->stage_count++] = stage;
  return i < MOST_STAGES ? i : MOST_STAGES - 1;
}

static int row_of(timeline *t, const xb_result *cell, const char *lane)
{
  int i = 0;
  while (i < t->row_count && (t->rows[i].cell != cell || strcmp(t->rows[i].lane, lane) != 0))
    i++;
  if (i == t->row_count && i < MOST_ROWS) {
    t->rows[i].cell = cell;
    t->rows[i].lane = lane;
    t->row_count++;
  }
  return i;
}

/* Finds the rows, and the scale of all. */
static void lay_out(timeline *t)
{
  for (size_t i = t->from; i < t->to; i++)
    for (size_t b = 0; is_drawn(t, t->file->cells[i]) && b < t->file->cells[i]->rates.timeline.count; b++) {
      const xb_bar *bar = &t->file->cells[i]->rates.timeline.values[b];
      row_of(t, t->file->cells[i], bar->lane);
      t->used[stage_of(t, bar->stage)] = true;
      t->longest_ns = fmax(t->longest_ns, bar->end_ns);
    }
}

static void draw(xb_figure *figure, timeline *t)
{
  xb_chart *chart = &figure->chart;
  char text[XB_NAME];
  for (int s = 0; s < t->stage_count; s++)
    if (t->used[s])
      xb_figure_legend(figure, XB_MARK_BAR, s, 0, t->stages[s]);
  xb_chart_size(chart, t->row_count * ROW + 70, 168, 21, 14, 56);
  xb_row_axis(chart, (size_t)t->row_count);
  xb_linear_axis(chart, 'x', 0, 1.02 * t->longest_ns / 1e3, 0);
  xb_chart_titles(chart, "time since the first submit, us", NULL);
  for (int r = 0; r < t->row_count; r++) {
    snprintf(text, sizeof text, "%s, %s", xb_view_target_of(t->file, t->rows[r].cell)->name, t->rows[r].lane);
    xb_chart_mark(chart, 'y', r, text, NAME_CHARACTERS, false);
  }
  for (size_t i = t->from; i < t->to; i++)
    for (size_t b = 0; is_drawn(t, t->file->cells[i]) && b < t->file->cells[i]->rates.timeline.count; b++) {
      const xb_bar *bar = &t->file->cells[i]->rates.timeline.values[b];
      const int row = row_of(t, t->file->cells[i], bar->lane), stage = stage_of(t, bar->stage);
      if (row < MOST_ROWS)
        xb_draw_box(chart, XB_COLOUR_SERIES + stage, bar->begin_ns / 1e3, row - 0.38, bar->end_ns / 1e3, row + 0.38);
    }
}

static void tabulate(xb_figure *figure, const timeline *t)
{
  xb_figure_table(figure, "tttnn", "API", "queue", "stage", "begin, us", "end, us");
  for (size_t i = t->from; i < t->to; i++)
    for (size_t b = 0; is_drawn(t, t->file->cells[i]) && b < t->file->cells[i]->rates.timeline.count; b++) {
      const xb_bar *bar = &t->file->cells[i]->rates.timeline.values[b];
      xb_figure_row(figure, xb_view_target_of(t->file, t->file->cells[i])->name, bar->lane, bar->stage,
                    bar->begin_ns / 1e3, bar->end_ns / 1e3);
    }
}

/* "CUDA graph: 3.1 ms; Vulkan: 3.3 ms." */
static void describe(xb_figure *figure, const timeline *t)
{
  for (size_t i = t->from; i < t->to; i++) {
    const xb_result *cell = t->file->cells[i];
    char time[XB_NAME];
    if (is_drawn(t, cell))
      XB_ADD(figure->takeaway, "%s%s: %s", *figure->takeaway ? "; " : "", xb_view_target_of(t->file, cell)->name,
             xb_name_time(cell->time.median_ns, time));
  }
  XB_ADD(figure->takeaway, ". Bars show the shortest sample; all times are of one clock.");
}

static void write_timeline(xb_report *report, timeline *t)
{
  xb_figure figure;
  char question[XB_NAME], name[XB_NAME];
  lay_out(t);
  if (!xb_figure_begin(report, &figure))
    return;
  draw(&figure, t);
  tabulate(&figure, t);
  XB_ADD(figure.title, "%s %s, %s: timeline", t->shown->benchmark, xb_name_variant(t->shown->variant, name),
         xb_name_question(t->shown, question));
  XB_ADD(figure.source, "%s", t->file->name);
  describe(&figure, t);
  xb_figure_end(report, &figure);
}

void xb_timelines(xb_report *report, const xb_view_file *file, size_t from, size_t to)
{
  timeline all = {.file = file};
  for (size_t i = from; i < to; i++)
    for (size_t b = 0; b < file->cells[i]->rates.timeline.count; b++)
      stage_of(&all, file->cells[i]->rates.timeline.values[b].stage);
  for (size_t i = from, end; i < to; i = end) {
    timeline t = all;
    t.from = i;
    for (end = i; end < to && !strcmp(file->cells[end]->variant, file->cells[i]->variant) &&
                  file->cells[end]->work.size == file->cells[i]->work.size;
         end++)
      if (file->cells[end]->rates.timeline.count > (t.shown ? t.shown->rates.timeline.count : 0))
        t.shown = file->cells[end];
    t.to = end;
    if (t.shown && t.shown->rates.timeline.count > 1)
      write_timeline(report, &t);
  }
}
