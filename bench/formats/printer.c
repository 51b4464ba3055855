#include "formats/formats.h"

#include "base/exit_codes.h"
#include "base/fold.h"
#include "formats/result_columns.h"
#include "sheet/sheet.h"

#include <inttypes.h>
#include <math.h>

unsigned xb_format_writer(xb_format format)
{
  return format == XB_FORMAT_CSV ? XB_IN_CSV : format == XB_FORMAT_MARKDOWN ? XB_IN_MARKDOWN : XB_IN_TEXT;
}

void xb_printer_begin(xb_printer *printer, xb_format format, bool comparison)
{
  *printer = (xb_printer){.format = format, .comparison = comparison};
  if (format == XB_FORMAT_TABLE)
    xb_fold_stdout();
  printer->file = stdout;
  if (format == XB_FORMAT_CSV)
    xb_csv_header(stdout);
  if (format == XB_FORMAT_GBENCH)
    printer->gbench = xb_gbench_begin();
}

void xb_printer_benchmark(xb_printer *printer, bool sweep)
{
  printer->table = (xb_table){.file = printer->file, .sweep = sweep, .published = printer->published};
}

void xb_printer_group(xb_printer *printer, const xb_group *group)
{
  switch (printer->format) {
  case XB_FORMAT_TABLE:
    if (printer->comparison)
      xb_comparison_table(&printer->table, group);
    else
      xb_table_group(&printer->table, group);
    break;
  case XB_FORMAT_CSV: xb_csv_group(printer->file, group); break;
  case XB_FORMAT_MARKDOWN:
    if (printer->comparison)
      xb_markdown_comparison(&printer->table, group);
    else
      xb_markdown_group(&printer->table, group);
    break;
  case XB_FORMAT_GBENCH:
    if (printer->gbench)
      xb_gbench_group(printer->gbench, group);
    break;
  }
  xb_flush_stdout();
}

static const double LEFT_OUT = 0.05; /* of 95 % intervals, by chance */

void xb_printer_means(xb_printer *printer, const xb_means *means)
{
  const bool markdown = printer->format == XB_FORMAT_MARKDOWN;
  FILE *file = printer->file;
  int64_t compared = 0;
  for (size_t i = 0; i < means->count && (markdown || printer->format == XB_FORMAT_TABLE); i++) {
    const xb_mean *m = &means->means[i];
    const char *against = m->base.variant ? m->base.variant : "";
    char subject[32], base[32];
    if (!m->compared || m->of == 1) /* the table has the one ratio */
      continue;
    fprintf(file, "%s%s%s: %s / ", compared ? "" : "\n", markdown ? "- " : "", m->benchmark,
            xb_format_target(m->subject_on, subject));
    if (markdown)
      xb_print_markdown(file, against);
    else
      fputs(against, file);
    fprintf(file, "%s%s, geometric mean of %" PRId64 " of %" PRId64 " ratios: %.3f ", *against ? " " : "",
            xb_format_target(m->base_on, base), m->compared, m->of, m->ratio);
    compared += m->compared;
    fprintf(file, markdown ? "(%.3f to %.3f) %s\n" : "[%.3f, %.3f] %s\n", m->ci95_ratio.low, m->ci95_ratio.high,
            m->verdict);
  }
  if (LEFT_OUT * (double)compared >= 0.5)
    fprintf(file,
            "%s%" PRId64 " ratios, each judged by itself: chance alone calls up to %.0f of them faster or slower\n",
            markdown ? "- " : "", compared, ceil(LEFT_OUT * (double)compared));
  xb_flush_stdout();
}

bool xb_printer_end(xb_printer *printer)
{
  const bool complete =
      printer->format != XB_FORMAT_GBENCH || (printer->gbench && xb_gbench_end(printer->gbench, printer->file));
  printer->gbench = NULL;
  return complete;
}
