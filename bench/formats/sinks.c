/* Where the results of a run go: files of --json and --csv, and stdout in a format. */
#include "base/exit_codes.h"
#include "base/fold.h"
#include "base/value_text.h"
#include "formats/formats.h"
#include "formats/result_columns.h"
#include "table/table.h"

#include <inttypes.h>
#include <math.h>

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static bool begin_json(xb_sink *sink, const xb_sink_run *run)
{
  xb_saved *s = (xb_saved *)sink;
  if (!xb_output_open(&s->output, s->output.path, XB_OUTPUT_RESULTS))
    return false;
  if (s->output.file && !(s->json = xb_json_begin(run->devices, run->device_count, &run->sampling)))
    xb_report_error(XB_EXIT_DEVICE, "out of host memory; nothing was measured");
  return s->json || !s->output.file;
}

static bool begin_csv(xb_sink *sink, const xb_sink_run *run XB_UNUSED)
{
  xb_saved *s = (xb_saved *)sink;
  if (!xb_output_open(&s->output, s->output.path, XB_OUTPUT_OTHER))
    return false;
  if (s->output.file)
    xb_csv_header(s->output.file);
  return true;
}

static void save(xb_sink *sink, const xb_group *group)
{
  xb_saved *s = (xb_saved *)sink;
  if (s->json) {
    xb_json_group(s->json, group);
    xb_json_save(s->json, &s->output);
  } else if (s->output.file) {
    xb_csv_group(s->output.file, group);
    xb_output_save(&s->output);
  }
}

static int commit(xb_sink *sink, const xb_means *means)
{
  xb_saved *s = (xb_saved *)sink;
  if (s->json && means)
    xb_json_means(s->json, means);
  if (s->json)
    xb_json_save(s->json, &s->output);
  xb_json_free(s->json);
  return xb_output_commit(&s->output) ? XB_EXIT_OK : XB_EXIT_USAGE;
}

void xb_saved_abandon(xb_saved *s)
{
  xb_output_abandon(&s->output);
  xb_json_free(s->json);
}

const xb_sink xb_json_sink = {.begin = begin_json, .group = save, .end = commit},
              xb_csv_sink = {.begin = begin_csv, .group = save, .end = commit};

/* ---- What is shown ----------------------------------------------------------------------------------------------- */

unsigned xb_format_writer(xb_format format)
{
  return format == XB_FORMAT_CSV ? XB_IN_CSV : format == XB_FORMAT_MARKDOWN ? XB_IN_MARKDOWN : XB_IN_TEXT;
}

static bool begin_shown(xb_sink *sink, const xb_sink_run *run)
{
  xb_shown *s = (xb_shown *)sink;
  s->comparison = run->comparison;
  if (s->format == XB_FORMAT_TABLE)
    xb_fold_stdout();
  if (!s->file) /* which may have become another stream */
    s->file = stdout;
  if (s->format == XB_FORMAT_CSV)
    xb_csv_header(s->file);
  if (s->format == XB_FORMAT_GBENCH)
    s->gbench = xb_gbench_begin();
  return true;
}

bool xb_group_is_shown(const xb_group *group)
{
  bool any = !group->cut;
  for (size_t i = 0; i < group->count; i++)
    any |= group->results[i].outcome == XB_CELL_OK || group->results[i].outcome == XB_CELL_WRONG ||
           group->results[i].outcome == XB_CELL_FAILED;
  return any;
}

static void show(xb_sink *sink, const xb_group *group)
{
  xb_shown *s = (xb_shown *)sink;
  if (!xb_group_is_shown(group))
    return;
  if (group->begins)
    s->writer = (xb_table_writer){.file = s->file, .sweep = group->sweep, .published = s->published};
  if (s->format == XB_FORMAT_TABLE)
    (s->comparison ? xb_comparison_table : xb_text_group)(&s->writer, group);
  else if (s->format == XB_FORMAT_MARKDOWN)
    (s->comparison ? xb_markdown_comparison : xb_markdown_group)(&s->writer, group);
  else if (s->format == XB_FORMAT_CSV)
    xb_csv_group(s->file, group);
  else if (s->gbench)
    xb_gbench_group(s->gbench, group);
  xb_flush_stdout();
}

static const double LEFT_OUT = 0.05; /* of 95 % intervals, by chance */

static void print_means(const xb_shown *s, const xb_means *means)
{
  const bool markdown = s->format == XB_FORMAT_MARKDOWN;
  FILE *file = s->file;
  int64_t compared = 0;
  for (size_t i = 0; i < means->count && (markdown || s->format == XB_FORMAT_TABLE); i++) {
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
}

static int end_shown(xb_sink *sink, const xb_means *means)
{
  xb_shown *s = (xb_shown *)sink;
  const bool whole = s->format != XB_FORMAT_GBENCH || (s->gbench && xb_gbench_end(s->gbench, s->file));
  if (means)
    print_means(s, means);
  xb_flush_stdout();
  return whole ? XB_EXIT_OK
               : xb_report_error(XB_EXIT_DEVICE, "out of host memory: the document on stdout is not complete");
}

const xb_sink xb_shown_sink = {.begin = begin_shown, .group = show, .end = end_shown};
