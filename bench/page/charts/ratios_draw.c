#include "page/charts/charts.h"
#include "page/charts/forest.h"

#include <math.h>

static void draw_line(xb_figure *figure, const xb_ratio_set *s, const xb_view_file *file, size_t k)
{
  FILE *script = figure->chart.script;
  char text[XB_LONG_NAME];
  const double apart = pow(1.035, (double)k - ((double)s->line_count - 1) / 2); /* so that intervals do not overlap */
  bool open = false;
  fprintf(script, "$line%zu << EOD\n", k);
  for (int odd = 0; odd < 2; odd++)
    for (size_t i = 0; i < s->count; i++) {
      const xb_comparison *r = s->at[i];
      if (!xb_same_line(r, s->lines[k]) || (r->subject->rows != r->subject->columns) != odd)
        continue;
      const xb_interval ends = xb_drawn_interval(r->ratio, r->ci95_ratio);
      fprintf(script, "%s%.9g %.9g %.9g %.9g\n", odd && open ? "\n" : "", (double)r->subject->size * apart, r->ratio,
              ends.low, ends.high);
      open = true;
    }
  fputs("EOD\n", script);
  xb_ratio_name(file, s->lines[k], text);
  if (s->dtypes)
    XB_ADD(text, ", %s", s->lines[k]->subject->dtype);
  xb_figure_legend(figure, XB_MARK_POINT, xb_ratio_slot(s, file, k), (int)k, text);
}

/* Labels the points of non-square matrices, as in bandwidth_draw.c. */
static void name_odd(xb_figure *figure, const xb_ratio_set *s)
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
    if (!first || lowest->subject->rows == lowest->subject->columns || !lowest->subject->rows)
      continue;
    xb_chart_put(&figure->chart, XB_COLOUR_MUTED, xb_name_size(lowest->subject, size),
                 "%.9g,%.9g center offset 0,-0.9 font \",11\"", (double)lowest->subject->size, lowest->ratio);
  }
}

void xb_ratios_draw_lines(xb_figure *figure, const xb_ratio_set *s, const xb_view_file *file)
{
  FILE *script = figure->chart.script;
  const double pad = fmax(pow(s->high / s->low, 0.02), 1.005);
  xb_interval range = {s->low / pad, s->high * pad};
  xb_size_axis(&figure->chart, s->least, s->most);
  xb_factor_axis(&figure->chart, 'y', &range);
  xb_margin_band(&figure->chart, 'y', s->margin, range);
  xb_chart_axes(&figure->chart, "elements (log scale)", "ratio of times, below 1 is faster");
  for (size_t k = 0; k < s->line_count; k++)
    draw_line(figure, s, file, k);
  name_odd(figure, s);
  if (s->margin > 0)
    xb_figure_legend(figure, XB_MARK_AREA, 0, 0, "counts as the same");
  for (size_t k = 0; k < s->line_count; k++) {
    const int colour = XB_COLOUR_SERIES + xb_ratio_slot(s, file, k);
    fprintf(script,
            "%s $line%zu using 1:2 with lines lw 1.5 lc rgb '#0000%02x'%s, $line%zu using 1:2:3:4 with yerrorbars lw "
            "1.5 pt %d "
            "ps 0.8 lc rgb '#0000%02x'",
            k ? "," : "set bars 0.6\nplot", k, colour, k % 4 >= 2 ? " dt '-'" : "", k, xb_point_type((int)k), colour);
  }
  fputs("\n", script);
}

void xb_ratios_draw_forest(xb_figure *figure, const xb_ratio_set *s, const xb_view_file *file)
{
  xb_forest_row rows[XB_FOREST_MOST];
  char at[XB_AT_TEXT];
  size_t count = 0;
  for (; count < s->count && count < XB_FOREST_MOST; count++) {
    const xb_comparison *r = s->at[count];
    rows[count] = (xb_forest_row){"", r->ratio, r->ci95_ratio, xb_view_target_of(file, r->subject)->slot};
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
