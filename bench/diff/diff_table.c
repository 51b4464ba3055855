/* The table on stdout: cells that need attention first, the summary last. */
#include "diff/diff.h"
#include "safe_text.h"

#include <stdio.h>
#include <string.h>

enum { VERDICT_WIDTH = 11, MOST_LABEL = 100 };

#define RED "\033[31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
static const char *const COLOURS[XB_CHANGES] = {
    [XB_CHANGE_FAILING] = RED, [XB_CHANGE_REGRESSION] = RED, [XB_CHANGE_IMPROVEMENT] = GREEN,
    [XB_CHANGE_FIXED] = GREEN, [XB_CHANGE_UNCLEAR] = YELLOW, [XB_CHANGE_MISSING] = YELLOW};

/* ---- Heading ---------------------------------------------------------------------------------------------------- */

static void print_differences(const xb_diff *diff, FILE *file)
{
  char benchmark[64];
  for (size_t i = 0; i < diff->difference_count && i < XB_MAX_DIFFERENCES; i++) {
    const xb_difference *d = &diff->differences[i];
    fprintf(file, "other %s of %s: base %s; new %s\n", d->what, xb_safe_text(d->benchmark, benchmark, sizeof benchmark),
            d->base, d->now);
  }
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static int label_width(const xb_diff *diff)
{
  size_t width = 4;
  char label[XB_DIFF_TEXT];
  for (size_t i = 0; i < diff->cell_count; i++) {
    const size_t length = strlen(xb_diff_label(&diff->cells[i], label));
    if (length > width)
      width = length;
  }
  return width < MOST_LABEL ? (int)width : MOST_LABEL;
}

static void print_cell(const xb_diff_cell *cell, int width, bool colour, FILE *file)
{
  char text[XB_DIFF_TEXT];
  const char *on = colour && COLOURS[cell->change] ? COLOURS[cell->change] : "";
  fprintf(file, "%s%-*s%s  %-*s", on, VERDICT_WIDTH, xb_change_name(cell->change), *on ? "\033[0m" : "", width,
          xb_diff_label(cell, text));
  fprintf(file, " %11s", xb_diff_time(cell->base, cell->base_ns, text));
  fprintf(file, " %11s", xb_diff_time(cell->now, cell->now_ns, text));
  if (cell->compared)
    fprintf(file, "  %6.3f  [%6.3f, %6.3f]", cell->ratio, cell->interval.low, cell->interval.high);
  else
    fprintf(file, "  %6s  %16s", "", "");
  fprintf(file, "%s%s\n", *xb_diff_note(cell, text) ? "  " : "", text);
}

void xb_diff_table(const xb_diff *diff, FILE *file, bool colour)
{
  char text[XB_DIFF_TEXT];
  const int width = label_width(diff);
  fprintf(file, "base  %s\n", xb_diff_file(diff->base, text));
  fprintf(file, "new   %s\n", xb_diff_file(diff->now, text));
  for (size_t i = 0; i < diff->now->device_count; i++)
    fprintf(file, "%s\n", xb_diff_device(diff, &diff->now->devices[i], text));
  if (xb_diff_warning(diff))
    fprintf(file, "warning: %s\n", xb_diff_warning(diff));
  print_differences(diff, file);
  fprintf(file, "\n%-*s  %-*s %11s %11s  %6s  %16s\n", VERDICT_WIDTH, "verdict", width, "cell", "base", "new", "ratio",
          "95 % interval");
  for (size_t i = 0; i < diff->cell_count; i++)
    print_cell(&diff->cells[i], width, colour, file);
  fprintf(file, "\n");
  for (size_t i = 0; i < diff->mean_count; i++) {
    const xb_diff_mean *m = &diff->means[i];
    fprintf(file, "%s: geometric mean of %zu ratios: %.3f [%.3f, %.3f]\n",
            xb_safe_text(m->benchmark, text, sizeof text), m->compared, m->ratio, m->interval.low, m->interval.high);
  }
  fprintf(file, "%s\n", xb_diff_summary(diff, text));
}
