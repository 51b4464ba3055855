/* The table on stdout, and in Markdown for the summary of a CI job: cells that need attention first, the summary last.
 */
#include "base/safe_text.h"
#include "base/terminal.h"
#include "diff/diff.h"
#include "table/table.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

/* What a table shows. */
typedef struct shown {
  const xb_diff *diff;
  bool colour, markdown, calm; /* calm: in Markdown, cells that need no attention have a table of their own */
} shown;

XB_COLUMN_PRINT(verdict, xb_diff_cell, true, "%s", xb_change_name(r->change))
XB_COLUMN_SHOW(label, xb_diff_cell, true, xb_diff_label(r, out))
XB_COLUMN_SHOW(base_time, xb_diff_cell, true, xb_diff_time(r->base, r->base_ns, out))
XB_COLUMN_SHOW(new_time, xb_diff_cell, true, xb_diff_time(r->now, r->now_ns, out))
XB_COLUMN_VALUE(ratio, xb_diff_cell, r->compared ? r->ratio : NAN)
XB_COLUMN_PRINT(interval, xb_diff_cell, r->compared, c->of, r->interval.low, r->interval.high)
XB_COLUMN_SHOW(note, xb_diff_cell, true, xb_diff_note(r, out))

static bool is_loud(const xb_diff_cell *cell)
{
  return cell->change == XB_CHANGE_FAILING || cell->change == XB_CHANGE_REGRESSION;
}

static bool is_calm(const xb_diff_cell *cell)
{
  return cell->change == XB_CHANGE_UNCHANGED || cell->change == XB_CHANGE_NO_TIME || cell->change == XB_CHANGE_NEW;
}

static const char *colour_of(const xb_table *s, const xb_column *c XB_UNUSED, const void *row)
{
  static const char *const colours[XB_CHANGES] = {
      [XB_CHANGE_FAILING] = XB_RED, [XB_CHANGE_REGRESSION] = XB_RED, [XB_CHANGE_IMPROVEMENT] = XB_GREEN,
      [XB_CHANGE_FIXED] = XB_GREEN, [XB_CHANGE_UNCLEAR] = XB_YELLOW, [XB_CHANGE_MISSING] = XB_YELLOW};
  const char *colour = colours[((const xb_diff_cell *)row)->change];
  return ((const shown *)s->user)->colour && colour ? colour : "";
}

static void put_loud(const xb_table *s XB_UNUSED, const void *row, FILE *file)
{
  const char *mark = is_loud(row) ? "**" : "";
  fprintf(file, "%s%s%s", mark, xb_change_name(((const xb_diff_cell *)row)->change), mark);
}

static const void *cell_at(const xb_table *s, size_t i)
{
  const shown *of = s->user;
  const xb_diff_cell *cell = &of->diff->cells[i];
  return xb_diff_is_hidden(cell) || (of->markdown && is_calm(cell) != of->calm) ? NULL : cell;
}

static void make_table(xb_table *s, const shown *of)
{
  static const xb_column columns[] = {
      {"verdict", 11, .left = true, .text = verdict, .style = colour_of, .markup = put_loud},
      {"cell", 0, .left = true, .before = "  ", .text = label},
      {"base", 11, .text = base_time},
      {"new", 11, .text = new_time},
      {"ratio", 6, "%.3f", ratio, .before = "  "},
      {"95 % interval", 16, .in = XB_IN_TEXT, .before = "  ", .of = "[%6.3f, %6.3f]", .text = interval},
      {"95 % interval", .in = XB_IN_MARKDOWN, .left = true, .of = "%.3f to %.3f", .text = interval},
      {"", .left = true, .note = true, .before = " ", .text = note},
  };
  *s = (xb_table){.user = of, .row = cell_at, .rows = of->diff->cell_count, .label_columns = 2};
  xb_table_add_all(s, columns, sizeof columns / sizeof *columns);
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

void xb_diff_table(const xb_diff *diff, bool colour)
{
  xb_table s;
  const shown of = {.diff = diff, .colour = colour};
  char text[XB_DIFF_TEXT], difference[XB_DIFFERENCE_TEXT];
  make_table(&s, &of);
  xb_table_fit(&s);
  printf("base  %s\n", xb_diff_file(diff->base, text));
  printf("new   %s\n", xb_diff_file(diff->now, text));
  for (size_t i = 0; i < diff->now->device_count; i++)
    printf("%s\n", xb_diff_device(diff, &diff->now->devices[i], text));
  if (xb_diff_warning(diff))
    printf("warning: %s\n", xb_diff_warning(diff));
  for (size_t i = 0; i < diff->difference_count && i < XB_MAX_DIFFERENCES; i++)
    printf("%s\n", xb_diff_condition(&diff->differences[i], difference));
  printf("\n");
  xb_table_print_heads(&s);
  xb_table_print_rows(&s);
  if (*xb_diff_hidden(diff, text))
    printf("%s\n", text);
  printf("\n");
  for (size_t i = 0; i < diff->mean_count; i++) {
    const xb_diff_mean *m = &diff->means[i];
    printf("%s: geometric mean of %zu ratios: %.3f [%.3f, %.3f]\n", xb_safe_text(m->benchmark, text, sizeof text),
           m->compared, m->ratio, m->interval.low, m->interval.high);
  }
  printf("%s\n", xb_diff_summary(diff, text));
  if (*xb_diff_advice(diff, text))
    printf("%s\n", text);
}

/* ---- Markdown --------------------------------------------------------------------------------------------------- */

/* A line of a list; the text without markup. */
static void print_line(const char *before, const char *text)
{
  printf("- %s", before);
  xb_print_markdown(stdout, text);
  printf("\n");
}

static void print_cells(const xb_diff *diff, bool calm)
{
  xb_table s;
  const shown of = {.diff = diff, .markdown = true, .calm = calm};
  make_table(&s, &of);
  xb_table_write(&s, XB_IN_MARKDOWN);
}

void xb_diff_markdown(const xb_diff *diff)
{
  char text[XB_DIFF_TEXT], difference[XB_DIFFERENCE_TEXT];
  size_t calm = 0, hidden = 0;
  for (size_t i = 0; i < diff->cell_count; i++) {
    const bool hides = xb_diff_is_hidden(&diff->cells[i]);
    hidden += hides;
    calm += is_calm(&diff->cells[i]) && !hides;
  }
  printf("### xbench diff: %s\n\n", xb_diff_summary(diff, text));
  if (xb_diff_warning(diff))
    print_line("**warning:** ", xb_diff_warning(diff));
  print_line("base: ", xb_diff_file(diff->base, text));
  print_line("new: ", xb_diff_file(diff->now, text));
  for (size_t i = 0; i < diff->now->device_count; i++)
    print_line("", xb_diff_device(diff, &diff->now->devices[i], text));
  for (size_t i = 0; i < diff->difference_count && i < XB_MAX_DIFFERENCES; i++)
    print_line("", xb_diff_condition(&diff->differences[i], difference));
  if (hidden)
    print_line("", xb_diff_hidden(diff, text));
  if (*xb_diff_advice(diff, text))
    print_line("", text);
  if (calm + hidden < diff->cell_count) {
    printf("\n");
    print_cells(diff, false);
  }
  for (size_t i = 0; i < diff->mean_count; i++) {
    const xb_diff_mean *m = &diff->means[i];
    printf("%s- ", i ? "" : "\n");
    xb_print_markdown(stdout, m->benchmark);
    printf(": geometric mean of %zu ratios: %.3f (%.3f to %.3f)\n", m->compared, m->ratio, m->interval.low,
           m->interval.high);
  }
  if (!calm)
    return;
  printf("\n<details><summary>%zu unchanged, new or without a time</summary>\n\n", calm);
  print_cells(diff, true);
  printf("\n</details>\n");
}
