/* Tables in Markdown: one line per cell or per pair. */
#include "base/value_text.h"
#include "formats/printer.h"
#include "formats/result_columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_shape(const xb_result *r)
{
  char shape[48];
  printf(" %s | %s |", r->dtype, xb_format_result_shape(r, shape, sizeof shape));
}

/* The time, with half of its interval in percent. */
static void print_time(const xb_result *r)
{
  char time[24];
  printf(" %s%s ± %.1f %% |", r->counterpart ? "~ " : "", xb_format_time(r->median_ns, time, sizeof time),
         xb_half_interval(r));
}

static void print_heading(xb_table *table, const xb_group *group)
{
  if (!table->headed)
    printf("\n### %s: %s; %s cache\n\n", group->benchmark->name, group->benchmark->title, group->results[0].cache);
}

void xb_markdown_group(xb_table *table, const xb_group *group)
{
  static xb_sheet s; /* too large for a stack */
  xb_result_table t;
  print_heading(table, group);
  xb_result_sheet(&s, &t, group, table->sweep, XB_IN_MARKDOWN);
  if (!table->headed)
    xb_sheet_markdown_heads(&s, stdout);
  table->headed = true;
  xb_sheet_markdown_rows(&s, stdout);
}

/* ---- Comparisons ------------------------------------------------------------------------------------------------ */

static void print_side(const xb_result *r)
{
  char text[XB_SIDE_TEXT];
  printf(" ");
  xb_print_markdown(stdout, r ? xb_format_side(r, text) : "nothing");
  printf(" |");
}

static void print_pair(const xb_comparison *c)
{
  const xb_result *sides[] = {c->subject, c->base};
  char reason[XB_PAIR_TEXT];
  printf("|");
  print_side(c->subject);
  print_side(c->base);
  print_shape(c->subject);
  for (int i = 0; i < 2; i++)
    if (sides[i] && sides[i]->outcome == XB_CELL_OK)
      print_time(sides[i]);
    else
      printf(" |");
  if (c->verdict)
    printf(" %.3f | %.3f to %.3f | %s | %s |", c->ratio, c->ci95_ratio.low, c->ci95_ratio.high, c->verdict,
           xb_yes_no(c->same_bits));
  else
    printf(" | | | |");
  printf(" ");
  xb_print_markdown(stdout, xb_format_reason(c, reason));
  printf(" |\n");
}

void xb_markdown_comparison(xb_table *table, const xb_group *group)
{
  print_heading(table, group);
  if (!table->headed)
    printf("| this | base | type | size | time | base's time | ratio | 95 %% interval | verdict | same bits | |\n"
           "|---|---|---|--:|--:|--:|--:|---|---|---|---|\n");
  table->headed = true;
  for (size_t i = 0; i < group->comparison_count; i++)
    print_pair(&group->comparisons[i]);
}
