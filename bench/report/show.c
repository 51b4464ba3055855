#include "report/show.h"

bool xb_show_begin(xb_show *show, xb_format format, bool comparison)
{
  *show = (xb_show){.format = format, .comparison = comparison};
  if (format == XB_FORMAT_CSV)
    xb_csv_header(stdout);
  if (format == XB_FORMAT_GBENCH)
    show->gbench = xb_gbench_begin();
  return format != XB_FORMAT_GBENCH || show->gbench;
}

void xb_show_benchmark(xb_show *show, bool sweep)
{
  show->table = (xb_table){.sweep = sweep};
}

void xb_show_group(xb_show *show, const xb_group *group)
{
  switch (show->format) {
  case XB_FORMAT_TABLE:
    if (show->comparison)
      xb_comparison_table(&show->table, group);
    else
      xb_table_group(&show->table, group);
    break;
  case XB_FORMAT_CSV: xb_csv_group(stdout, group); break;
  case XB_FORMAT_MARKDOWN:
    if (show->comparison)
      xb_markdown_comparison(&show->table, group);
    else
      xb_markdown_group(&show->table, group);
    break;
  case XB_FORMAT_GBENCH:
    if (show->gbench)
      xb_gbench_group(show->gbench, group);
    break;
  }
  fflush(stdout);
}

void xb_show_means(xb_show *show, const xb_means *means)
{
  if (show->format == XB_FORMAT_TABLE)
    xb_means_table(means);
  if (show->format == XB_FORMAT_MARKDOWN)
    xb_markdown_means(means);
}

void xb_show_end(xb_show *show)
{
  if (show->gbench)
    xb_gbench_end(show->gbench, stdout);
  show->gbench = NULL;
}
