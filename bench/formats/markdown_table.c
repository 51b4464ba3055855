/* Results in Markdown: one line per cell. */
#include "formats/result_columns.h"

#include <stdio.h>

void xb_print_markdown_heading(const xb_table *table, const xb_group *group)
{
  if (!table->headed)
    printf("\n### %s: %s; %s cache\n\n", group->benchmark->name, group->benchmark->title, group->results[0].cache);
}

void xb_markdown_group(xb_table *table, const xb_group *group)
{
  static xb_sheet s; /* too large for a stack */
  xb_result_table t;
  xb_print_markdown_heading(table, group);
  xb_result_sheet(&s, &t, group, table, XB_IN_MARKDOWN);
  if (!table->headed)
    xb_sheet_markdown_heads(&s, stdout);
  table->headed = true;
  xb_sheet_markdown_rows(&s, stdout);
}
