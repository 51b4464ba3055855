/* For the summary of a CI job: a table of the cells that need attention; the others are hidden at first. */
#include "diff/diff.h"
#include "sheet/sheet.h"

#include <stdio.h>

static bool calm(xb_change change)
{
  return change == XB_CHANGE_UNCHANGED || change == XB_CHANGE_NO_TIME || change == XB_CHANGE_NEW;
}

static void print_cell(const xb_diff_cell *cell, FILE *file)
{
  char text[XB_DIFF_TEXT];
  const bool loud = cell->change == XB_CHANGE_FAILING || cell->change == XB_CHANGE_REGRESSION;
  fprintf(file, "| %s%s%s | ", loud ? "**" : "", xb_change_name(cell->change), loud ? "**" : "");
  xb_print_markdown(file, xb_diff_label(cell, text));
  fprintf(file, " | %s |", xb_diff_time(cell->base, cell->base_ns, text));
  fprintf(file, " %s |", xb_diff_time(cell->now, cell->now_ns, text));
  if (cell->compared)
    fprintf(file, " %.3f | %.3f to %.3f | ", cell->ratio, cell->interval.low, cell->interval.high);
  else
    fprintf(file, " | | ");
  xb_print_markdown(file, xb_diff_note(cell, text));
  fprintf(file, " |\n");
}

static void print_cells(const xb_diff *diff, bool calm_ones, FILE *file)
{
  fprintf(file, "| verdict | cell | base | new | ratio | 95 %% interval | |\n|---|---|--:|--:|--:|---|---|\n");
  for (size_t i = 0; i < diff->cell_count; i++)
    if (calm(diff->cells[i].change) == calm_ones && !xb_diff_is_hidden(&diff->cells[i]))
      print_cell(&diff->cells[i], file);
}

static void print_line(const char *before, const char *text, FILE *file)
{
  fprintf(file, "- %s", before);
  xb_print_markdown(file, text);
  fprintf(file, "\n");
}

void xb_diff_markdown(const xb_diff *diff, FILE *file)
{
  char text[XB_DIFF_TEXT];
  size_t calm_count = 0, hidden = 0;
  for (size_t i = 0; i < diff->cell_count; i++) {
    const bool hides = xb_diff_is_hidden(&diff->cells[i]);
    hidden += hides;
    calm_count += calm(diff->cells[i].change) && !hides;
  }
  fprintf(file, "### xbench diff: %s\n\n", xb_diff_summary(diff, text));
  if (xb_diff_warning(diff))
    print_line("**warning:** ", xb_diff_warning(diff), file);
  print_line("base: ", xb_diff_file(diff->base, text), file);
  print_line("new: ", xb_diff_file(diff->now, text), file);
  for (size_t i = 0; i < diff->now->device_count; i++)
    print_line("", xb_diff_device(diff, &diff->now->devices[i], text), file);
  for (size_t i = 0; i < diff->difference_count && i < XB_MAX_DIFFERENCES; i++) {
    const xb_difference *d = &diff->differences[i];
    fprintf(file, "- other %s of ", d->what);
    xb_print_markdown(file, d->benchmark);
    fprintf(file, ": base ");
    xb_print_markdown(file, d->base);
    fprintf(file, "; new ");
    xb_print_markdown(file, d->now);
    fprintf(file, "\n");
  }
  if (hidden)
    print_line("", xb_diff_hidden(diff, text), file);
  if (calm_count + hidden < diff->cell_count) {
    fprintf(file, "\n");
    print_cells(diff, false, file);
  }
  for (size_t i = 0; i < diff->mean_count; i++) {
    const xb_diff_mean *m = &diff->means[i];
    fprintf(file, "%s- ", i ? "" : "\n");
    xb_print_markdown(file, m->benchmark);
    fprintf(file, ": geometric mean of %zu ratios: %.3f (%.3f to %.3f)\n", m->compared, m->ratio, m->interval.low,
            m->interval.high);
  }
  if (!calm_count)
    return;
  fprintf(file, "\n<details><summary>%zu unchanged, new or without a time</summary>\n\n", calm_count);
  print_cells(diff, true, file);
  fprintf(file, "\n</details>\n");
}
