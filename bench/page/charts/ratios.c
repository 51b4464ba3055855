/* Ratios with their intervals by size: one line per pair of sides. */
#include "page/charts/charts.h"
#include "page/charts/forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 300, MOST_TOGETHER = 6 };

/* ---- Texts and table -------------------------------------------------------------------------------------------- */

/* The name of one ratio among the others: its size or, if all sizes are equal, its variant. */
static const char *name_end(const xb_ratio_set *s, const xb_comparison *r, char out[XB_NAME])
{
  char at[XB_AT_TEXT];
  if (s->sizes)
    xb_name_question(r->subject, out);
  else
    xb_name_variant(r->subject->variant, out);
  if (!s->sizes && r->subject->at.count)
    xb_append(out, XB_NAME, " at %s", xb_result_at(r->subject, at));
  return out;
}

static void say(xb_figure *figure, const xb_ratio_set *s, const xb_view_file *file)
{
  const xb_comparison *least = s->at[0], *most = s->at[0];
  char name[XB_NAME];
  for (size_t i = 0; i < s->count; i++) {
    least = s->at[i]->ratio < least->ratio ? s->at[i] : least;
    most = s->at[i]->ratio > most->ratio ? s->at[i] : most;
  }
  XB_ADD(figure->title, "%s: %s", s->at[0]->subject->benchmark,
         s->line_count == 1 ? xb_ratio_name(file, s->lines[0], name) : "ratios of times");
  XB_ADD(figure->takeaway, s->sizes ? "From %.3f at %s" : "From %.3f of %s", least->ratio, name_end(s, least, name));
  if (s->count > 1)
    XB_ADD(figure->takeaway, s->sizes ? " to %.3f at %s" : " to %.3f of %s", most->ratio, name_end(s, most, name));
  XB_ADD(figure->takeaway, "%s; bars are 95 %% intervals.%s",
         file->computed ? "; computed from this file's samples" : "",
         s->sizes && s->lines_in_all > s->line_count ? " Not all lines are drawn." : "");
  XB_ADD(figure->source, "%s; %s", file->name,
         file->computed ? "computed from its samples" : "as 'xbench compare' wrote it");
}

static void tabulate(xb_data_table *table, const xb_ratio_set *s, const xb_view_file *file)
{
  char name[XB_NAME], question[XB_NAME], verdict[XB_NAME];
  xb_data_table_begin(table, "tt4444t", "ratio of", "size, type", "ratio", "95 % from", "to", "less floors", "verdict");
  for (size_t i = 0; i < s->count; i++) {
    const xb_comparison *r = s->at[i];
    snprintf(verdict, sizeof verdict, "%s%s%s%s", r->verdict ? r->verdict : "", r->reason ? ": " : "",
             r->reason ? r->reason : "",
             r->same_bits == 1   ? "; same bits"
             : r->same_bits == 0 ? "; other bits"
                                 : "");
    xb_data_table_row(table, xb_ratio_name(file, r, name), xb_name_question(r->subject, question), r->ratio,
                      r->ci95_ratio.low, r->ci95_ratio.high, r->ratio_less_floors, verdict);
  }
}

static void chart(xb_page *page, const xb_view_file *file, xb_ratio_set *s)
{
  xb_figure figure;
  if (!s->count || !xb_figure_begin(page, &figure, 0, 0, 0, 0, 0))
    return;
  xb_ratio_lines_find(s);
  xb_ratio_ranges_widen(s, page->view);
  const size_t rows = s->count < XB_FOREST_MOST ? s->count : XB_FOREST_MOST;
  if (s->sizes ? xb_chart_begin(&figure.chart, HEIGHT, 0.115, 0.97, 1 - 26. / HEIGHT, 52. / HEIGHT)
               : xb_forest_begin(&figure.chart, rows, false)) {
    if (s->sizes)
      xb_ratios_draw_lines(&figure, s, file);
    else
      xb_ratios_draw_forest(&figure, s, file);
    say(&figure, s, file);
    tabulate(&figure.table, s, file);
  }
  xb_figure_end(page, &figure);
}

static void chart_variants(xb_page *page, const xb_view_file *file, const xb_ratio_set *all, xb_ratio_set *part)
{
  fputs("</div>\n<details><summary>Ratios by size, for each variant</summary>\n<div class=\"charts\">\n", page->out);
  for (size_t i = 0; i < all->count; i++) {
    bool seen = false;
    for (size_t j = 0; j < i; j++)
      seen |= !strcmp(all->at[j]->subject->variant, all->at[i]->subject->variant);
    if (seen)
      continue;
    xb_ratio_set_take(part, all, all->at[i]->subject->variant);
    chart(page, file, part);
  }
  fputs("</div></details>\n<div class=\"charts\">\n", page->out);
}

/* Draws one chart. With too many lines for one: a chart of the largest size and, hidden at first, one per variant. */
void xb_ratios(xb_page *page, const xb_view_file *file, const char *benchmark)
{
  xb_ratio_set all = {.at = calloc(file->ratio_count + 1, sizeof *all.at)};
  xb_ratio_set part = {.at = calloc(file->ratio_count + 1, sizeof *part.at)};
  if (!all.at || !part.at)
    xb_page_out_of_memory(page);
  for (size_t i = 0; page->code < 0 && i < file->ratio_count; i++)
    if (file->ratios[i].verdict && !strcmp(file->ratios[i].subject->benchmark, benchmark))
      all.at[all.count++] = &file->ratios[i];
  xb_ratio_lines_find(&all);
  if (all.sizes && all.lines_in_all > MOST_TOGETHER) {
    xb_ratio_set_take(&part, &all, NULL);
    chart(page, file, &part);
    chart_variants(page, file, &all, &part);
  } else {
    chart(page, file, &all);
  }
  free(all.at);
  free(part.at);
}
