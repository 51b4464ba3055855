/* The table of a run, with the columns of the DirectCompute slides: time, metrics, step speedup, cumulative speedup.
 * One line per variant and place on its axes, and a band of columns per target (an API, in one launch mode). With
 * several targets, the last columns are ratios of device time to the first target's. */
#include "formats/matrix_table.h"
#include "formats/result_columns.h"

#include <stdio.h>
#include <string.h>

static void print_heading(xb_table *table, const xb_sheet *s, const xb_result_table *t)
{
  const xb_result_benchmark *b = t->group->benchmark;
  if (table->sweep && table->headed)
    return;
  for (size_t d = 0; d < s->band_count && !table->headed; d++)
    xb_print_target(t->targets[d]);
  xb_print_question(t->group, table->sweep);
  for (size_t a = 0; a < b->axes.count; a++)
    printf("; %s: %s", b->axes.values[a].name, b->axes.values[a].title);
  if (t->samples && !table->sweep)
    printf("; %zu samples each", t->samples);
  printf("\n%s\n", s->left_out ? "some columns are left out; --wide shows all\n" : "");
  xb_sheet_print_heads(s);
  table->headed = true;
}

/* True if all results failed for one reason, as they do if the device has too little memory for the input. */
static bool failed_alike(const xb_group *group)
{
  const xb_result *first = &group->results[0];
  for (size_t i = 0; i < group->count; i++) {
    const xb_result *r = &group->results[i];
    if (r->outcome != XB_CELL_FAILED || strcmp(xb_result_why(r), xb_result_why(first)) != 0)
      return false;
  }
  return group->count > 1;
}

/* One line for each target; a variant once, wherever it is on its axes, and a reason once for all that follow each
 * other. */
static void print_without_counterpart(const xb_group *group, const xb_result_device *on)
{
  char target[32];
  const xb_result *last = NULL;
  for (const xb_result *r = group->results; r < group->results + group->count; r++) {
    if (r->on != on || r->outcome != XB_CELL_NO_COUNTERPART || (last && !strcmp(last->variant, r->variant)))
      continue;
    if (!last)
      printf("no counterpart on %s: ", xb_format_target(on, target));
    else if (strcmp(xb_result_why(last), xb_result_why(r)) != 0)
      printf(" (%s), ", xb_result_why(last));
    else
      printf(", ");
    printf("%s", r->variant);
    last = r;
  }
  if (last)
    printf(" (%s)\n", xb_result_why(last));
}

void xb_table_group(xb_table *table, const xb_group *group)
{
  static xb_sheet s; /* too large for a stack */
  xb_result_table t;
  char shape[48];
  const xb_result *first = &group->results[0];
  xb_result_sheet(&s, &t, group, table, XB_IN_TEXT);
  xb_sheet_fit(&s);
  print_heading(table, &s, &t);
  xb_format_result_shape(first, shape, sizeof shape);
  const bool has_shape = xb_sheet_shows(&s, "dtype");
  if (table->sweep && !has_shape)
    printf("%s, %s:\n", shape, first->dtype);
  if (failed_alike(group)) {
    if (has_shape)
      printf("%11s %-7s ", shape, first->dtype);
    printf("all %zu: %s: %s\n", group->count, xb_outcome_text(first), xb_result_why(first));
    return;
  }
  xb_sheet_print_rows(&s);
  for (size_t d = 0; d < s.band_count; d++)
    print_without_counterpart(group, t.targets[d]);
  xb_print_matrices(group);
  if (!table->quoted && table->published)
    xb_print_published(group, false);
  table->quoted = true;
}

/* ---- Markdown --------------------------------------------------------------------------------------------------- */

void xb_markdown_rows(xb_table *table, const xb_group *group, const xb_sheet *s)
{
  if (!table->headed) {
    printf("\n### %s: %s; %s cache\n\n", group->benchmark->name, group->benchmark->title, group->results[0].cache);
    if (table->published && !group->comparison_count)
      xb_print_published(group, true);
    xb_sheet_markdown_heads(s, stdout);
  }
  table->headed = true;
  xb_sheet_markdown_rows(s, stdout);
}

void xb_markdown_group(xb_table *table, const xb_group *group)
{
  static xb_sheet s; /* too large for a stack */
  xb_result_table t;
  xb_result_sheet(&s, &t, group, table, XB_IN_MARKDOWN);
  xb_markdown_rows(table, group, &s);
}
