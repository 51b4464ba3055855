/* Before and after: the verdicts of a diff between the report's two files. */
#include "report/report.h"

#include "base/html_text.h"
#include "report/charts/charts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const xb_result *side(const xb_diff_cell *cell)
{
  return cell->now ? cell->now : cell->base;
}

/* True if another cell differs from this one in its group size only. */
static bool has_other_groups(const xb_diff *diff, const xb_result *r)
{
  for (size_t i = 0; i < diff->cell_count; i++) {
    const xb_result *other = side(&diff->cells[i]);
    if (other->work.block != r->work.block && xb_same_size(other, r) && !xb_compare_at(other, r) &&
        !strcmp(other->variant, r->variant) && !strcmp(other->backend, r->backend))
      return true;
  }
  return false;
}

/* "reduce 9 single_pass, Vulkan, 2^20 float32". */
static const char *name_cell(const xb_view *view, const xb_diff *diff, const xb_diff_cell *cell, char out[XB_NAME])
{
  const xb_result *r = side(cell);
  char variant[XB_NAME], question[XB_NAME];
  snprintf(out, XB_NAME, "%.40s %.40s, %.20s, %.40s", r->benchmark, xb_name_variant(r->variant, variant),
           xb_view_target_of(&view->files[cell->now != NULL], r)->name, xb_name_question(r, question));
  if (has_other_groups(diff, r))
    xb_append(out, XB_NAME, ", groups of %" PRIu64, r->work.block);
  return out;
}

static bool is_loud(xb_change change)
{
  return change == XB_CHANGE_FAILING || change == XB_CHANGE_REGRESSION;
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

static void write_means(FILE *out, const xb_diff *diff)
{
  char ratio[XB_NAME], text[XB_DIFFERENCE_TEXT];
  fputs("<ul class=\"notes\">\n", out);
  for (size_t i = 0; i < diff->mean_count; i++) {
    const xb_diff_mean *m = &diff->means[i];
    xb_html_format(out, "<li>%.60s: geometric mean of %zu ratios: %s</li>\n", m->benchmark, m->compared,
                   xb_name_ratio(m->ratio, m->interval, ratio));
  }
  for (size_t i = 0; i < diff->difference_count && i < XB_MAX_DIFFERENCES; i++)
    xb_html_format(out, "<li class=\"bad\">not measured alike: %s</li>\n",
                   xb_diff_condition(&diff->differences[i], text));
  fputs("</ul>\n", out);
}

/* Cells that only one file has, or that lack a time in one. */
static void write_uncompared(FILE *out, const xb_view *view, const xb_diff *diff)
{
  enum { MOST = 40 };
  char name[XB_NAME], note[XB_DIFF_TEXT];
  size_t count = 0;
  for (size_t i = 0; i < diff->cell_count; i++) {
    const xb_diff_cell *cell = &diff->cells[i];
    if (cell->compared || cell->change == XB_CHANGE_NO_TIME || count++ >= MOST)
      continue;
    xb_diff_note(cell, note);
    fputs(count == 1 ? "<p>Not compared:</p>\n<ul class=\"notes\">\n" : "", out);
    fputs(is_loud(cell->change) ? "<li><strong class=\"bad\">" : "<li><strong>", out);
    xb_html_format(out, "%s</strong>: %s%s%s</li>\n", xb_change_name(cell->change), name_cell(view, diff, cell, name),
                   *note ? ": " : "", note);
  }
  fputs(count ? "</ul>\n" : "", out);
  if (count > MOST)
    fprintf(out, "<p>The other %zu are in the table of the chart.</p>\n", count - MOST);
}

/* ---- The chart -------------------------------------------------------------------------------------------------- */

static void tabulate(xb_figure *figure, const xb_view *view, const xb_diff *diff)
{
  char name[XB_NAME], note[XB_DIFF_TEXT];
  xb_figure_table(figure, "ttnn444t", "cell", "verdict", "base, us", "new, us", "ratio", "95 % from", "to", "note");
  for (const xb_diff_cell *cell = diff->cells; cell && cell < diff->cells + diff->cell_count; cell++)
    xb_figure_row(figure, name_cell(view, diff, cell, name), xb_change_name(cell->change),
                  cell->base_ns > 0 ? cell->base_ns / 1e3 : NAN, cell->now_ns > 0 ? cell->now_ns / 1e3 : NAN,
                  cell->compared ? cell->ratio : NAN, cell->compared ? cell->interval.low : NAN,
                  cell->compared ? cell->interval.high : NAN, xb_diff_note(cell, note));
}

/* The rows of the compared cells, in the order of the diff, with a heading for each verdict. */
static size_t make_rows(const xb_view *view, const xb_diff *diff, xb_forest_row rows[XB_FOREST_MOST])
{
  size_t count = 0;
  xb_change change = XB_CHANGES;
  for (size_t i = 0; i < diff->cell_count && count + 2 <= XB_FOREST_MOST; i++) {
    const xb_diff_cell *cell = &diff->cells[i];
    if (!cell->compared)
      continue;
    if (cell->change != change) {
      change = cell->change;
      rows[count] = (xb_forest_row){.ratio = NAN};
      snprintf(rows[count++].name, XB_NAME, "%s: %zu", xb_change_name(change), diff->counts[change]);
    }
    rows[count] = (xb_forest_row){
        .ratio = cell->ratio, .interval = cell->interval, .slot = xb_view_target_of(&view->files[1], cell->now)->slot};
    name_cell(view, diff, cell, rows[count++].name);
  }
  return count;
}

static void write_chart(xb_report *report, const xb_diff *diff)
{
  xb_forest_row rows[XB_FOREST_MOST];
  xb_figure figure;
  if (!xb_figure_begin(report, &figure))
    return;
  const size_t count = make_rows(report->view, diff, rows);
  xb_forest_draw(&figure.chart, rows, count, (xb_interval){1, 1}, diff->threshold, true);
  tabulate(&figure, report->view, diff);
  XB_ADD(figure.title, "New time / base time");
  XB_ADD(figure.takeaway, "Below 1 the new run is faster. Bars are 95 %% intervals.%s",
         count + 2 > XB_FOREST_MOST ? " Not all cells are drawn." : "");
  XB_ADD(figure.source, "%s, %s", report->view->files[0].name, report->view->files[1].name);
  xb_figure_end(report, &figure);
}

void xb_report_changes(xb_report *report)
{
  const xb_diff *diff = report->diff;
  char summary[XB_DIFF_TEXT];
  bool any = false;
  if (!diff)
    return;
  xb_html_format(
      report->out,
      "<p class=\"about\">Base: %.100s. New: %.100s. The verdicts are those of <code>xbench diff</code>.</p>\n",
      report->view->files[0].name, report->view->files[1].name);
  fputs(xb_diff_exit_code(diff) ? "<p class=\"bad\">" : "<p>", report->out);
  xb_html_format(report->out, "%s.</p>\n", xb_diff_summary(diff, summary));
  write_means(report->out, diff);
  for (size_t i = 0; i < diff->cell_count; i++)
    any |= diff->cells[i].compared;
  if (any) {
    fputs("<div class=\"glance\">\n", report->out);
    write_chart(report, diff);
    fputs("</div>\n", report->out);
  }
  write_uncompared(report->out, report->view, diff);
}
