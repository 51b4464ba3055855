/* The same comparisons on several GPUs. */
#include "page/sections/sections.h"

#include "page/model/ratio_lines.h"

#include <math.h>
#include <stddef.h>

XB_COLUMN_TEXT(benchmark)
{
  snprintf(out, XB_SHEET_TEXT, "%s", ((const xb_gpu_ratio *)row)->of->subject->benchmark);
}

XB_COLUMN_TEXT(sides)
{
  const xb_gpu_ratio *g = row;
  xb_ratio_name(g->file, g->of, out);
}

XB_COLUMN_TEXT(question)
{
  xb_name_question(((const xb_gpu_ratio *)row)->of->subject, out);
}

XB_COLUMN_TEXT(interval)
{
  const xb_interval *i = xb_sheet_member(c, row);
  if (isfinite(i->low))
    snprintf(out, XB_SHEET_TEXT, "%.3f to %.3f", i->low, i->high);
}

XB_COLUMN_TEXT(code)
{
  snprintf(out, XB_SHEET_TEXT, "%s", ((const xb_gpu_ratio *)row)->other_code ? "not the same code in all files" : "");
}

#define OF(name) .offset = offsetof(xb_gpu_ratio, name)
void xb_page_gpus(xb_page *page)
{
  static xb_sheet s; /* too large for a stack */
  static const xb_column columns[] = {
      {"benchmark", .left = true, .text = benchmark},
      {"sides", .left = true, .text = sides},
      {"cell", .left = true, .text = question},
      {"GPUs", .text = xb_count_member, OF(gpus)},
      {"ratio", 0, "%.3f", OF(ratio)},
      {"range", .text = interval, OF(range)},
      {"next GPU", .text = interval, OF(next)},
      {"", .left = true, .text = code},
  };
  s = (xb_sheet){XB_ROWS(page->gpus.list, page->gpus.count)};
  xb_sheet_add_all(&s, columns, sizeof columns / sizeof *columns);
  if (s.rows)
    xb_sheet_html(&s, page->out, "Ratios across GPUs", NULL);
}
