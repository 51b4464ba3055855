/* The geometric means of ratios as a forest plot: which API or variant is faster. */
#include "page/charts/charts.h"
#include "page/charts/forest.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Short, because there is little room: "1024\u00b2" for a square matrix. */
static void name_range_end(const xb_result *cell, char out[XB_NAME])
{
  if (cell->rows && cell->rows == cell->columns)
    snprintf(out, XB_NAME, "%" PRIu64 "\u00b2", cell->rows);
  else
    xb_name_size(cell, out);
}

/* With the sizes, because means may differ only in these: "reduce: Vulkan / CUDA graph, 2^16 to 2^30". */
static void name_mean(const xb_view_file *file, const xb_view_mean *mean, char out[2 * XB_NAME])
{
  char sides[XB_NAME], from[XB_NAME] = "", to[XB_NAME] = "";
  const xb_result *least = NULL, *most = NULL;
  for (size_t i = 0; i < file->ratio_count; i++) {
    const xb_comparison *r = &file->ratios[i];
    if (!r->verdict || !xb_ratio_of_mean(file, r, mean))
      continue;
    least = !least || r->subject->size < least->size ? r->subject : least;
    most = !most || r->subject->size > most->size ? r->subject : most;
  }
  xb_name_sides(mean->subject, mean->subject_variant, mean->base, mean->base_variant, sides);
  snprintf(out, (size_t)2 * XB_NAME, "%s: %s", mean->of->benchmark, sides);
  if (!least || !most)
    return;
  name_range_end(least, from);
  name_range_end(most, to);
  xb_append(out, (size_t)2 * XB_NAME, strcmp(from, to) != 0 ? ", %s to %s" : ", %s", from, to);
  if (xb_same_text(least->loop, "kernel"))
    xb_append(out, (size_t)2 * XB_NAME, " (in the kernel)");
}

static void tabulate_mean(xb_data_table *table, const xb_view_file *file, const xb_view_mean *mean, const char *name)
{
  char cells[XB_NAME];
  snprintf(cells, sizeof cells, "%" PRId64 " of %" PRId64, mean->of->compared, mean->of->of);
  xb_data_table_text(table, name);
  xb_data_table_number(table, 4, mean->of->ratio);
  xb_data_table_number(table, 4, mean->of->ci95_ratio.low);
  xb_data_table_number(table, 4, mean->of->ci95_ratio.high);
  xb_data_table_text(table, mean->of->verdict);
  xb_data_table_number(table, 1, 100 * mean->of->margin);
  xb_data_table_text(table, cells);
  xb_data_table_text(table, file->name);
}

void xb_page_means(xb_page *page)
{
  static const char *const heads[] = {"ratio of", "mean", "95 % from", "to", "verdict", "margin, %", "cells", "file"};
  static char names[XB_FOREST_MOST][2 * XB_NAME]; /* too much for a stack */
  xb_forest_row rows[XB_FOREST_MOST];
  xb_figure figure;
  char details[1400] = "", text[XB_NAME];
  size_t count = 0;
  bool any = false;
  if (page->code >= 0 || !xb_figure_begin(page, &figure))
    return;
  for (size_t c = 0; c < 8; c++)
    xb_data_table_column(&figure.table, heads[c], (c > 0 && c < 4) || c == 5);
  for (size_t f = 0; f < page->view->file_count; f++) {
    if (page->view->file_count > 1 && page->view->files[f].mean_count && count < XB_FOREST_MOST)
      rows[count++] = (xb_forest_row){.name = page->view->files[f].name, .ratio = NAN};
    for (size_t i = 0; i < page->view->files[f].mean_count && count < XB_FOREST_MOST; i++) {
      const xb_view_mean *mean = &page->view->files[f].means[i];
      name_mean(&page->view->files[f], mean, names[count]);
      tabulate_mean(&figure.table, &page->view->files[f], mean, names[count]);
      xb_name_ratio(mean->of->ratio, mean->of->ci95_ratio, text);
      xb_append(details, sizeof details, "%s: %s. ", names[count], text);
      rows[count] = (xb_forest_row){names[count], mean->of->ratio, mean->of->ci95_ratio, mean->subject->slot};
      count++;
      any = true;
    }
  }
  if (any && xb_forest_begin(&figure.chart, count, true))
    xb_forest_draw(&figure.chart, rows, count, (xb_interval){1, 1}, 0, true);
  snprintf(figure.title, sizeof figure.title, "Which is faster: means of ratios");
  snprintf(figure.takeaway, sizeof figure.takeaway,
           "Geometric means over the cells of each file. Below 1 the first side is faster. Bars are 95 %% intervals.");
  snprintf(figure.source, sizeof figure.source, "the files named in the table");
  if (any) {
    xb_figure_end(page, &figure, details);
    return;
  }
  fclose(figure.legend_file);
  free(figure.legend);
  xb_data_table_free(&figure.table);
}
