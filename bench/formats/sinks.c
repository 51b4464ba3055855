/* Where the results of a run go: files of --json and --csv, and stdout in a format. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/exit_codes.h"
#include "base/fold.h"
#include "base/value_text.h"
#include "formats/formats.h"
#include "formats/output.h"
#include "formats/result_columns.h"
#include "os/memory_file.h"
#include "table/table.h"

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
            "%s%" PRId64
            " ratios, each judged separately: up to %.0f of them may be called faster or slower by chance\n",
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

/* What a file has, by its first bytes. */
typedef enum contents {
  CONTENTS_NONE, /* or it is no regular file */
  CONTENTS_RESULTS,
  CONTENTS_OWN,     /* another document of xbench's, a table, a page */
  CONTENTS_FOREIGN, /* such as a source or a manifest */
} contents;

static contents contents_of(const char *path)
{
  char text[128] = "";
  int from = 0, version;
  struct stat status;
  FILE *file = !stat(path, &status) && S_ISREG(status.st_mode) ? fopen(path, "r") : NULL;
  if (!file)
    return CONTENTS_NONE;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  sscanf(text, " { \"schema\" : \"xbench%n", &from);
  if (from)
    return sscanf(text + from, "/%d", &version) == 1 ? CONTENTS_RESULTS : CONTENTS_OWN;
  const bool own = *text == '<' || !strncmp(text, "benchmark,variant,", 18);
  return !*text ? CONTENTS_NONE : own ? CONTENTS_OWN : CONTENTS_FOREIGN;
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

bool xb_output_open(xb_output *output, const char *path, xb_output_kind kind)
{
  struct stat st;
  *output = (xb_output){.path = path, .to = XB_NOT_WRITTEN};
  if (!path)
    return true;
  if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
    xb_report_error(XB_EXIT_USAGE, "%s: is a directory; give the name of a file", path);
    return false;
  }
  const contents there = contents_of(path);
  if (there == CONTENTS_FOREIGN || (there == CONTENTS_RESULTS && kind != XB_OUTPUT_RESULTS)) {
    xb_report_error(XB_EXIT_USAGE, "%s: %s: give another name, or remove it first", path,
                    there == CONTENTS_FOREIGN ? "was not written by xbench" : "has results of 'xbench --json'");
    return false;
  }
  int error = xb_written_open(&output->to, path);
  if (!error) {
    output->file = xb_memory_open(&output->text, &output->length);
    error = output->file ? 0 : errno;
  }
  if (!error)
    return true;
  xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s; nothing was done", path, strerror(error));
  xb_output_abandon(output);
  return false;
}

/* ---- Saving ----------------------------------------------------------------------------------------------------- */

/* Updates `text`. */
static int flush(xb_output *output)
{
  if (fflush(output->file) || ferror(output->file))
    output->out_of_memory = true;
  return output->out_of_memory ? ENOMEM : output->length ? 0 : ENODATA; /* nothing would replace what is there */
}

static void tell(xb_output *output, int error, const char *and_then)
{
  const bool saved = output->to.in_part >= 0;
  if (!output->reported)
    xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s%s%s%s", output->path, strerror(error),
                    saved ? "; the last good save is in " : "", saved ? output->to.part : "", and_then);
  output->reported = true;
}

bool xb_output_save(xb_output *output)
{
  if (!output->file || !*output->to.place)
    return true;
  int error = flush(output);
  if (!error)
    error = xb_written_save(&output->to, output->text, output->length);
  if (error)
    tell(output, error, "; later results are not saved until a save succeeds");
  else
    output->reported = false;
  return !error;
}

/* ---- The end ---------------------------------------------------------------------------------------------------- */

static void release(xb_output *output)
{
  if (output->file)
    fclose(output->file);
  free(output->text);
  output->file = NULL;
  output->text = NULL;
}

bool xb_output_commit(xb_output *output)
{
  if (!output->file)
    return true;
  int error = flush(output);
  xb_flush_stdout(); /* stdout may be the same file */
  if (!error)
    error = xb_written_commit(&output->to, output->text, output->length);
  if (error == EPIPE) /* as on stdout: the reader has read what it wanted */
    error = 0;
  if (error)
    tell(output, error, "");
  xb_written_close(&output->to);
  release(output);
  return !error;
}

void xb_output_abandon(xb_output *output)
{
  release(output);
  xb_written_abandon(&output->to);
}
