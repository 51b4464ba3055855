/* Ratios with their intervals by size: one line per pair of sides. */
#include "report/charts/charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 300, MOST_TOGETHER = 6 };

/* ---- The ratios and their lines
 * -------------------------------------------------------------------------------------------------- */

/* Of one chart. */
typedef struct ratio_set {
  const xb_comparison **at;
  size_t count;
  const xb_comparison *lines[XB_LINES_MOST]; /* the first of each line */
  size_t line_count, lines_in_all;
  bool sizes, dtypes, variants;          /* true if there are several */
  double least, most, low, high, margin; /* of sizes, and of ratios with their intervals */
} ratio_set;

/* True if both have the same two sides, so that they belong to one line. */
static bool same_line(const xb_comparison *a, const xb_comparison *b)
{
  return a->subject->on == b->subject->on && a->base->on == b->base->on &&
         !strcmp(a->subject->variant, b->subject->variant) && !strcmp(a->base->variant, b->base->variant) &&
         !strcmp(a->subject->dtype, b->subject->dtype);
}

static void widen(ratio_set *s, const xb_comparison *r)
{
  const xb_interval ends = xb_drawn_interval(r->ratio, r->ci95_ratio);
  s->least = fmin(s->least, (double)r->subject->work.size);
  s->most = fmax(s->most, (double)r->subject->work.size);
  s->low = fmin(s->low, ends.low);
  s->high = fmax(s->high, ends.high);
}

/* Widens the ranges to those of all files, so that charts can be compared: over all sizes if the set has several. */
static void widen_ranges(ratio_set *s, const xb_view *view)
{
  const xb_result *like = s->at[0]->subject;
  for (size_t f = 0; f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].ratio_count; i++) {
      const xb_comparison *r = &view->files[f].ratios[i];
      if (r->verdict && !strcmp(r->subject->benchmark, like->benchmark) && (s->sizes || xb_same_size(r->subject, like)))
        widen(s, r);
    }
}

/* Computes the lines and the ranges from the ratios. */
static void find_lines(ratio_set *s)
{
  s->line_count = s->lines_in_all = 0;
  s->least = INFINITY;
  s->low = s->high = 1;
  for (size_t i = 0; i < s->count; i++) {
    const xb_comparison *r = s->at[i];
    size_t k = 0;
    while (k < s->line_count && !same_line(r, s->lines[k]))
      k++;
    if (k == s->line_count && k < XB_LINES_MOST)
      s->lines[s->line_count++] = r;
    s->lines_in_all += k == s->line_count;
    s->sizes |= !xb_same_size(r->subject, s->at[0]->subject) && xb_same_question(r->subject, s->at[0]->subject);
    s->dtypes |= strcmp(r->subject->dtype, s->at[0]->subject->dtype) != 0;
    s->variants |= strcmp(r->subject->variant, s->at[0]->subject->variant) != 0;
    widen(s, r);
    s->margin = r->margin;
  }
  s->lines_in_all += s->line_count;
}

/* A colour for line k: that of its subject's API or, if all have the same one, its own. */
static int slot_of(const ratio_set *s, const xb_view_file *file, size_t k)
{
  for (size_t i = 1; i < s->line_count; i++)
    if (s->lines[i]->subject->on != s->lines[0]->subject->on)
      return xb_view_target_of(file, s->lines[k]->subject)->slot;
  return s->line_count > 1 ? (int)k % XB_VIEW_SLOTS : xb_view_target_of(file, s->lines[k]->subject)->slot;
}

/* Selects from `all` the ratios of one variant or, if `variant` is NULL, of the largest size. */
static void take(ratio_set *part, const ratio_set *all, const char *variant)
{
  uint64_t largest = 0;
  for (size_t i = 0; i < all->count; i++)
    largest = all->at[i]->subject->work.size > largest ? all->at[i]->subject->work.size : largest;
  *part = (ratio_set){.at = part->at};
  for (size_t i = 0; i < all->count; i++)
    if (variant ? !strcmp(all->at[i]->subject->variant, variant) : all->at[i]->subject->work.size == largest)
      part->at[part->count++] = all->at[i];
}

/* ---- Texts and table -------------------------------------------------------------------------------------------- */

/* The name of one ratio among the others: its size or, if all sizes are equal, its variant. */
static const char *name_end(const ratio_set *s, const xb_comparison *r, char out[XB_NAME])
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

static void say(xb_figure *figure, const ratio_set *s, const xb_view_file *file)
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

static void tabulate(xb_figure *figure, const ratio_set *s, const xb_view_file *file)
{
  char name[XB_NAME], question[XB_NAME], verdict[XB_NAME];
  xb_figure_table(figure, "tt4444t", "ratio of", "size, type", "ratio", "95 % from", "to", "less overhead", "verdict");
  for (size_t i = 0; i < s->count; i++) {
    const xb_comparison *r = s->at[i];
    snprintf(verdict, sizeof verdict, "%s%s%s%s", r->verdict ? r->verdict : "", r->reason ? ": " : "",
             r->reason ? r->reason : "",
             r->same_bits == 1   ? "; same bits"
             : r->same_bits == 0 ? "; other bits"
                                 : "");
    xb_figure_row(figure, xb_ratio_name(file, r, name), xb_name_question(r->subject, question), r->ratio,
                  r->ci95_ratio.low, r->ci95_ratio.high, r->ratio_less_floors, verdict);
  }
}

/* ---- Drawing ---------------------------------------------------------------------------------------------------- */

static void draw_line(xb_figure *figure, const ratio_set *s, const xb_view_file *file, size_t k)
{
  xb_chart *chart = &figure->chart;
  char text[XB_LONG_NAME];
  const int slot = slot_of(s, file, k);
  const double apart = pow(1.035, (double)k - ((double)s->line_count - 1) / 2); /* so that intervals do not overlap */
  const xb_pen solid = {XB_COLOUR_SERIES + slot, 1.5, false}, pen = {solid.colour, 1.5, k % 4 >= 2};
  xb_path path = xb_path_begin(chart, pen, (int)k);
  for (int odd = 0; odd < 2; odd++) /* non-square matrices are separate points */
    for (size_t i = 0; i < s->count; i++) {
      const xb_comparison *r = s->at[i];
      const double x = (double)r->subject->work.size * apart;
      if (!same_line(r, s->lines[k]) || (r->subject->work.rows != r->subject->work.columns) != odd)
        continue;
      path.open &= !odd;
      xb_draw_interval(chart, 'y', xb_drawn_interval(r->ratio, r->ci95_ratio), x, solid);
      xb_path_to(&path, x, r->ratio);
    }
  xb_path_end(&path);
  xb_ratio_name(file, s->lines[k], text);
  if (s->dtypes)
    XB_ADD(text, ", %s", s->lines[k]->subject->dtype);
  xb_figure_legend(figure, XB_MARK_POINT, slot, (int)k, text);
}

/* Labels the points of non-square matrices, as in lines.c. */
static void name_odd(xb_chart *chart, const ratio_set *s)
{
  char size[XB_NAME];
  for (size_t i = 0; i < s->count; i++) {
    const xb_comparison *lowest = s->at[i];
    bool first = true;
    for (size_t j = 0; j < s->count; j++)
      if (xb_same_size(s->at[j]->subject, s->at[i]->subject)) {
        first &= j >= i;
        lowest = s->at[j]->ratio < lowest->ratio ? s->at[j] : lowest;
      }
    if (!first || lowest->subject->work.rows == lowest->subject->work.columns || !lowest->subject->work.rows)
      continue;
    xb_draw_text(chart, (double)lowest->subject->work.size, lowest->ratio,
                 (xb_text){.colour = XB_COLOUR_MUTED, .down = 14, .anchor = XB_MIDDLE},
                 xb_name_size(lowest->subject, size));
  }
}

static void draw_lines(xb_figure *figure, const ratio_set *s, const xb_view_file *file)
{
  xb_chart *chart = &figure->chart;
  const double pad = fmax(pow(s->high / s->low, 0.02), 1.005);
  xb_interval range = {s->low / pad, s->high * pad};
  xb_chart_size(chart, HEIGHT, 48, 13, 26, 52);
  xb_size_axis(chart, s->least, s->most);
  xb_factor_axis(chart, 'y', &range, true);
  xb_margin_band(chart, 'y', s->margin);
  xb_chart_titles(chart, "elements (log scale)", "ratio of times, below 1 is faster");
  for (size_t k = 0; k < s->line_count; k++)
    draw_line(figure, s, file, k);
  name_odd(chart, s);
  if (s->margin > 0)
    xb_figure_legend(figure, XB_MARK_AREA, 0, 0, "counts as the same");
}

static void draw_forest(xb_figure *figure, const ratio_set *s, const xb_view_file *file)
{
  xb_forest_row rows[XB_FOREST_MOST];
  char at[XB_AT_TEXT];
  size_t count = 0;
  for (; count < s->count && count < XB_FOREST_MOST; count++) {
    const xb_comparison *r = s->at[count];
    rows[count] = (xb_forest_row){
        .ratio = r->ratio, .interval = r->ci95_ratio, .slot = xb_view_target_of(file, r->subject)->slot};
    xb_name_variant(r->subject->variant, rows[count].name);
    if (s->dtypes)
      XB_ADD(rows[count].name, ", %s", r->subject->dtype);
    if (r->subject->at.count)
      XB_ADD(rows[count].name, ", %s", xb_result_at(r->subject, at));
  }
  for (size_t k = 0; k < s->line_count; k++) {
    char text[XB_NAME];
    const xb_comparison *r = s->lines[k];
    const xb_view_target *subject = xb_view_target_of(file, r->subject), *base = xb_view_target_of(file, r->base);
    bool in_legend = false;
    for (size_t j = 0; j < k; j++)
      in_legend |= s->lines[j]->subject->on == r->subject->on && s->lines[j]->base->on == r->base->on;
    xb_name_sides(subject, s->variants ? NULL : r->subject->variant, base,
                  s->variants && subject != base ? NULL : r->base->variant, text);
    if (!in_legend)
      xb_figure_legend(figure, XB_MARK_POINT, subject->slot, subject->slot, text);
  }
  if (s->margin > 0)
    xb_figure_legend(figure, XB_MARK_AREA, 0, 0, "counts as the same");
  xb_forest_draw(&figure->chart, rows, count, (xb_interval){s->low, s->high}, s->margin, false);
}

static void chart(xb_report *report, const xb_view_file *file, ratio_set *s)
{
  xb_figure figure;
  if (!s->count || !xb_figure_begin(report, &figure))
    return;
  find_lines(s);
  widen_ranges(s, report->view);
  if (s->sizes)
    draw_lines(&figure, s, file);
  else
    draw_forest(&figure, s, file);
  say(&figure, s, file);
  tabulate(&figure, s, file);
  xb_figure_end(report, &figure);
}

static void chart_variants(xb_report *report, const xb_view_file *file, const ratio_set *all, ratio_set *part)
{
  fputs("</div>\n<details><summary>Ratios by size, for each variant</summary>\n<div class=\"charts\">\n", report->out);
  for (size_t i = 0; i < all->count; i++) {
    bool seen = false;
    for (size_t j = 0; j < i; j++)
      seen |= !strcmp(all->at[j]->subject->variant, all->at[i]->subject->variant);
    if (seen)
      continue;
    take(part, all, all->at[i]->subject->variant);
    chart(report, file, part);
  }
  fputs("</div></details>\n<div class=\"charts\">\n", report->out);
}

/* Draws one chart. With too many lines for one: a chart of the largest size and, hidden at first, one per variant. */
void xb_ratios(xb_report *report, const xb_view_file *file, const char *benchmark)
{
  ratio_set all = {.at = calloc(file->ratio_count + 1, sizeof *all.at)};
  ratio_set part = {.at = calloc(file->ratio_count + 1, sizeof *part.at)};
  if (!all.at || !part.at)
    xb_report_out_of_memory(report);
  for (size_t i = 0; report->code < 0 && i < file->ratio_count; i++)
    if (file->ratios[i].verdict && !strcmp(file->ratios[i].subject->benchmark, benchmark))
      all.at[all.count++] = &file->ratios[i];
  find_lines(&all);
  if (all.sizes && all.lines_in_all > MOST_TOGETHER) {
    take(&part, &all, NULL);
    chart(report, file, &part);
    chart_variants(report, file, &all, &part);
  } else {
    chart(report, file, &all);
  }
  free(all.at);
  free(part.at);
}
