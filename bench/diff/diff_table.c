/* The table on stdout: cells that need attention first, the summary last. */
#include "base/safe_text.h"
#include "base/terminal.h"
#include "diff/diff.h"

#include <stdio.h>
#include <string.h>

enum { VERDICT_WIDTH = 11, NUMBERS_WIDTH = 50, MOST_LABEL = 100 };

static const char *const COLOURS[XB_CHANGES] = {
    [XB_CHANGE_FAILING] = XB_RED, [XB_CHANGE_REGRESSION] = XB_RED, [XB_CHANGE_IMPROVEMENT] = XB_GREEN,
    [XB_CHANGE_FIXED] = XB_GREEN, [XB_CHANGE_UNCLEAR] = XB_YELLOW, [XB_CHANGE_MISSING] = XB_YELLOW};

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

static size_t label_width(const xb_diff *diff)
{
  size_t width = 4;
  char label[XB_DIFF_TEXT];
  for (size_t i = 0; i < diff->cell_count; i++) {
    const size_t length = strlen(xb_diff_label(&diff->cells[i], label));
    if (length > width && !xb_diff_is_hidden(&diff->cells[i]))
      width = length;
  }
  return width < MOST_LABEL ? width : MOST_LABEL;
}

/* A narrow terminal gets two lines per cell: the numbers are below its name. */
static void print_cell(const xb_diff_cell *cell, size_t width, bool colour, FILE *file)
{
  char text[XB_DIFF_TEXT];
  const char *on = colour && COLOURS[cell->change] ? COLOURS[cell->change] : "";
  fprintf(file, "%s%-*s%s  %-*s%s", on, VERDICT_WIDTH, xb_change_name(cell->change), *on ? XB_NO_COLOUR : "",
          (int)width, xb_diff_label(cell, text), width ? "" : "\n   ");
  fprintf(file, " %11s", xb_diff_time(cell->base, cell->base_ns, text));
  fprintf(file, " %11s", xb_diff_time(cell->now, cell->now_ns, text));
  if (cell->compared)
    fprintf(file, "  %6.3f  [%6.3f, %6.3f]", cell->ratio, cell->interval.low, cell->interval.high);
  else
    fprintf(file, "  %6s  %16s", "", "");
  fprintf(file, "%s%s\n", !*xb_diff_note(cell, text) ? "" : width ? "  " : "\n    ", text);
}

void xb_diff_table(const xb_diff *diff, FILE *file, bool colour)
{
  char text[XB_DIFF_TEXT];
  size_t width = label_width(diff);
  if (VERDICT_WIDTH + 2 + width + NUMBERS_WIDTH > xb_terminal_limit())
    width = 0;
  fprintf(file, "base  %s\n", xb_diff_file(diff->base, text));
  fprintf(file, "new   %s\n", xb_diff_file(diff->now, text));
  for (size_t i = 0; i < diff->now->device_count; i++)
    fprintf(file, "%s\n", xb_diff_device(diff, &diff->now->devices[i], text));
  if (xb_diff_warning(diff))
    fprintf(file, "warning: %s\n", xb_diff_warning(diff));
  print_differences(diff, file);
  fprintf(file, "\n%-*s  %-*s%s %11s %11s  %6s  %16s\n", VERDICT_WIDTH, "verdict", (int)width, "cell",
          width ? "" : "\n   ", "base", "new", "ratio", "95 % interval");
  for (size_t i = 0; i < diff->cell_count; i++)
    if (!xb_diff_is_hidden(&diff->cells[i]))
      print_cell(&diff->cells[i], width, colour, file);
  if (*xb_diff_hidden(diff, text))
    fprintf(file, "%s\n", text);
  fprintf(file, "\n");
  for (size_t i = 0; i < diff->mean_count; i++) {
    const xb_diff_mean *m = &diff->means[i];
    fprintf(file, "%s: geometric mean of %zu ratios: %.3f [%.3f, %.3f]\n",
            xb_safe_text(m->benchmark, text, sizeof text), m->compared, m->ratio, m->interval.low, m->interval.high);
  }
  fprintf(file, "%s\n", xb_diff_summary(diff, text));
}
