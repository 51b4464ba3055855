/* Which API or variant is faster, as a forest plot: the ratio of each benchmark's best cell. A geometric mean is shown
 * only where all of its ratios are of one variant, in several sizes or places: cells of different variants have nothing
 * in common. */
#include "page/charts/charts.h"
#include "page/charts/forest.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Short, because there is little room: "1024\u00b2" for a square matrix. */
static const char *name_range_end(const xb_result *cell, char out[XB_NAME])
{
  if (!cell->rows || cell->rows != cell->columns || cell->inner)
    return xb_name_size(cell, out);
  snprintf(out, XB_NAME, "%" PRIu64 "\u00b2", cell->rows);
  return out;
}

/* "reduce: Vulkan / CUDA graph". */
static void name_question(const xb_view_mean *mean, char out[XB_LONG_NAME])
{
  char sides[XB_NAME];
  snprintf(out, XB_LONG_NAME, "%s: %s", mean->of->benchmark,
           xb_name_sides(mean->subject, mean->subject_variant, mean->base, mean->base_variant, sides));
}

/* Appends the sizes, because means may differ only in these: ", 2^16 to 2^30". */
static void append_sizes(const xb_view_mean *mean, char out[XB_LONG_NAME])
{
  char from[XB_NAME], to[XB_NAME];
  const xb_view_file *file = mean->subject->file;
  const xb_result *least = NULL, *most = NULL;
  for (size_t i = 0; i < file->ratio_count; i++) {
    const xb_comparison *r = &file->ratios[i];
    if (!r->verdict || !xb_ratio_of_mean(r, mean))
      continue;
    least = !least || r->subject->size < least->size ? r->subject : least;
    most = !most || r->subject->size > most->size ? r->subject : most;
  }
  if (!least || !most)
    return;
  name_range_end(least, from);
  name_range_end(most, to);
  xb_append(out, XB_LONG_NAME, strcmp(from, to) != 0 ? ", %s to %s" : ", %s", from, to);
  if (xb_same_text(least->loop, "kernel"))
    xb_append(out, XB_LONG_NAME, " (in the kernel)");
}

/* Of the mean's ratios, that of the best subject among the largest cells; NULL: there is none. */
static const xb_comparison *best_ratio(const xb_view_mean *mean)
{
  const xb_view_file *file = mean->subject->file;
  const xb_comparison *best = NULL;
  for (size_t i = 0; i < file->ratio_count; i++) {
    const xb_comparison *r = &file->ratios[i];
    if (!r->verdict || !xb_ratio_of_mean(r, mean) || (best && r->subject->size < best->subject->size))
      continue;
    if (!best || r->subject->size > best->subject->size || xb_is_better(r->subject, best->subject))
      best = r;
  }
  return best;
}

/* What is shown of a mean: itself, or a ratio in its place. Appends to `where` of what it is. */
static xb_mean shown(const xb_view_mean *mean, char name[XB_LONG_NAME], char where[XB_LONG_NAME])
{
  char sides[XB_NAME], size[XB_NAME], at[XB_AT_TEXT];
  xb_mean m = *mean->of;
  const xb_comparison *best = mean->subject_variant && mean->base_variant ? NULL : best_ratio(mean);
  if (!best) {
    name_question(mean, name);
    append_sizes(mean, name);
    append_sizes(mean, where);
    return m;
  }
  xb_name_sides(mean->subject, best->subject->variant, mean->base, best->base->variant, sides);
  name_range_end(best->subject, size);
  *name = 0;
  xb_append(name, XB_LONG_NAME, "%s, at best: %s, %s%s%s", mean->of->benchmark, sides, size,
            best->subject->at.count ? ", " : "", xb_result_at(best->subject, at));
  xb_append(where, XB_LONG_NAME, ", %s, %s", xb_name_variant(best->subject->variant, sides), size);
  m.ratio = best->ratio;
  m.ci95_ratio = best->ci95_ratio;
  m.verdict = best->verdict;
  m.margin = best->margin;
  m.compared = 1;
  return m;
}

static bool same_question(const xb_view_mean *a, const xb_view_mean *b)
{
  return !strcmp(a->of->benchmark, b->of->benchmark) && !strcmp(a->subject->name, b->subject->name) &&
         !strcmp(a->base->name, b->base->name) && xb_same_text(a->subject_variant, b->subject_variant) &&
         xb_same_text(a->base_variant, b->base_variant);
}

typedef struct means_chart {
  xb_figure figure;
  xb_forest_row rows[XB_FOREST_MOST];
  size_t count;
} means_chart;

static void add_mean(means_chart *chart, const xb_view_mean *mean, bool one_file)
{
  const xb_view_file *file = mean->subject->file;
  char name[XB_LONG_NAME], where[XB_LONG_NAME], cells[XB_NAME];
  snprintf(where, sizeof where, "%s", file->name);
  const xb_mean m = shown(mean, name, where);
  snprintf(cells, sizeof cells, "%" PRId64 " of %" PRId64, m.compared, m.of);
  xb_data_table_row(&chart->figure.table, name, m.ratio, m.ci95_ratio.low, m.ci95_ratio.high, m.verdict, 100 * m.margin,
                    cells, file->name);
  if (chart->count == XB_FOREST_MOST)
    return;
  xb_forest_row *row = &chart->rows[chart->count++];
  *row = (xb_forest_row){"", m.ratio, m.ci95_ratio, mean->subject->slot};
  snprintf(row->name, sizeof row->name, "%s", one_file ? name : where);
}

static bool is_first(const xb_view *view, const xb_view_mean *mean)
{
  const xb_view_mean *first = view->means;
  while (!same_question(first, mean))
    first++;
  return first == mean;
}

/* Adds the first mean of a question, and those of the other files. */
static void add_question(means_chart *chart, const xb_view *view, const xb_view_mean *mean)
{
  if (!is_first(view, mean))
    return;
  if (view->file_count > 1 && chart->count + 1 < XB_FOREST_MOST) {
    chart->rows[chart->count] = (xb_forest_row){.ratio = NAN};
    name_question(mean, chart->rows[chart->count++].name);
  }
  for (const xb_view_mean *m = mean; m < view->means + view->mean_count; m++)
    if (same_question(m, mean))
      add_mean(chart, m, view->file_count == 1);
}

void xb_page_means(xb_page *page)
{
  static means_chart chart; /* too much for a stack */
  const xb_view *view = page->view;
  xb_figure *figure = &chart.figure;
  chart.count = 0;
  if (!view->mean_count || !xb_figure_begin(page, figure, 0, 0, 0, 0, 0))
    return;
  xb_data_table_begin(&figure->table, "t444t1tt", "ratio of", "ratio", "95 % from", "to", "verdict", "margin, %",
                      "cells", "file");
  for (size_t i = 0; i < view->mean_count; i++)
    add_question(&chart, view, &view->means[i]);
  if (xb_forest_begin(&figure->chart, chart.count, true))
    xb_forest_draw(&figure->chart, chart.rows, chart.count, (xb_interval){1, 1}, 0, true);
  XB_ADD(figure->title, "Which is faster");
  XB_ADD(
      figure->takeaway,
      "Ratios of times: of a benchmark's best cell or, of one variant, the geometric mean over its sizes and places. "
      "Below 1 the first side is faster. Bars are 95 %% intervals.%s",
      chart.count == XB_FOREST_MOST ? " Not all are drawn." : "");
  XB_ADD(figure->source, "the files named in the table");
  xb_figure_end(page, figure);
}
