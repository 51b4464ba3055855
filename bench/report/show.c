#include "report/show.h"

#include "report/format.h"
#include "report/markdown.h"

#include <inttypes.h>

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
  const bool markdown = show->format == XB_FORMAT_MARKDOWN;
  for (size_t i = 0; i < means->count && (markdown || show->format == XB_FORMAT_TABLE); i++) {
    const xb_mean *m = &means->means[i];
    const char *against = m->base.variant ? m->base.variant : "";
    char subject[32], base[32];
    if (!m->compared)
      continue;
    printf("%s%s%s: %s / ", i ? "" : "\n", markdown ? "- " : "", m->benchmark,
           xb_format_target(m->subject_on, subject));
    if (markdown)
      xb_print_markdown(stdout, against);
    else
      fputs(against, stdout);
    printf("%s%s, geometric mean of %" PRId64 " of %" PRId64 " ratios: %.3f ", *against ? " " : "",
           xb_format_target(m->base_on, base), m->compared, m->of, m->ratio);
    printf(markdown ? "(%.3f to %.3f) %s\n" : "[%.3f, %.3f] %s\n", m->ci95_ratio.low, m->ci95_ratio.high, m->verdict);
  }
  fflush(stdout);
}

void xb_show_end(xb_show *show)
{
  if (show->gbench)
    xb_gbench_end(show->gbench, stdout);
  show->gbench = NULL;
}
