/* xbench report: makes an HTML page from result files. */
#include "base/safe_text.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "diff/diff.h"
#include "formats/output.h"
#include "isa/isa.h"
#include "report/report.h"
#include "result/result.h"

#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 256 };

typedef struct report_words {
  const char *output, *base;
  const char *files[MOST_FILES + 1]; /* with --base, which is the first: two */
  size_t count;
  const char *searches[XB_MOST_TUNINGS]; /* cache files of 'xbench tune' */
  size_t search_count;
} report_words;

/* ---- Command line ----------------------------------------------------------------------------------------------- */

static const xb_option options[] = {
    {"base", 0, XB_OPT_TEXT, offsetof(report_words, base),
     "compare with this older file: adds the verdicts of 'xbench diff'", .value = "OLD.json"},
    {"output", 'o', XB_OPT_TEXT, offsetof(report_words, output), "write the HTML report to this file", .value = "FILE"},
    {0}};

static bool check(report_words *given)
{
  char name[256];
  if (given->count > MOST_FILES)
    return xb_usage_error("report: more than %d files named: name fewer", MOST_FILES);
  if (!given->count && given->search_count)
    return xb_usage_error("report: %s: is a search of 'xbench tune': also name its results, "
                          "NAME.API.run.json",
                          xb_safe_text(given->searches[0], name, sizeof name));
  if (!given->count)
    return xb_usage_error("report: no result file given: name files that 'xbench --json FILE' wrote");
  if (!given->output || !*given->output || !strcmp(given->output, "-"))
    return xb_usage_error("report: no output file given: use -o report.html, or -o /dev/stdout");
  for (size_t i = 1; i < given->count; i++)
    for (size_t k = 0; k < i; k++)
      if (xb_same_file(given->files[i], given->files[k]))
        return xb_usage_error("report: %s is named twice, so its cells would count twice: name it once",
                              xb_safe_text(given->files[i], name, sizeof name));
  for (size_t i = 0; i < given->count; i++)
    if (xb_same_file(given->files[i], given->output))
      return xb_usage_error("report: %s: the report would overwrite this input file: give -o another name",
                            xb_safe_text(given->files[i], name, sizeof name));
  return true;
}

static int take(xb_invocation *in, const char *const *words)
{
  report_words *given = in->own;
  given->count = given->search_count = 0;
  for (const char *const *word = words; *word && given->count <= MOST_FILES; word++)
    if (!xb_is_tuning(*word))
      given->files[given->count++] = *word;
    else if (given->search_count == XB_MOST_TUNINGS)
      return xb_report_error(XB_EXIT_USAGE, "report: more than %d searches named: name fewer", XB_MOST_TUNINGS);
    else
      given->searches[given->search_count++] = *word;
  if (given->base && given->count != 1)
    return xb_report_error(XB_EXIT_USAGE, "report: --base compares two files: name one new file");
  if (given->base) {
    given->files[1] = given->files[0];
    given->files[0] = given->base;
    given->count = 2;
  }
  return check(given) ? -1 : XB_EXIT_USAGE;
}

/* ---- The page --------------------------------------------------------------------------------------------------- */

static int check_size(const xb_document *const *documents, size_t count)
{
  size_t cells = 0;
  for (size_t i = 0; i < count; i++)
    cells += documents[i]->result_count;
  if (cells <= XB_VIEW_MOST_CELLS)
    return -1;
  return xb_report_error(XB_EXIT_USAGE, "report: %zu cells are too many for one report (at most %d): name fewer files",
                         cells, XB_VIEW_MOST_CELLS);
}

/* As 'xbench diff --force' with its defaults: the page shows what was not measured alike. */
static int compare(xb_diff *diff, const xb_document *base, const xb_document *now)
{
  xb_error error;
  *diff = (xb_diff){.base = base, .now = now, .threshold = -1, .seed = 1};
  xb_code code = xb_diff_conditions(diff, &error);
  if (!code)
    code = xb_diff_match(diff, &error);
  if (!code)
    code = xb_diff_judge(diff, &error);
  return xb_report_refusal(code, &error);
}

/* Writes to memory first, so that a failure leaves the output file unchanged. */
static int write_page(report_words *given, const xb_view *view, const xb_diff *diff, const xb_tuning *tunings,
                      size_t tuning_count)
{
  xb_output output;
  if (!xb_output_open(&output, given->output, XB_OUTPUT_OTHER))
    return XB_EXIT_USAGE;
  const int code = xb_report_write(output.file, view, diff, tunings, tuning_count);
  if (code < 0)
    return xb_output_commit(&output) ? XB_EXIT_OK : XB_EXIT_USAGE;
  xb_output_abandon(&output);
  return code;
}

/* Returns -1 if the files are not of `xbench isa`. */
static int report_isa(report_words *given)
{
  xb_output output;
  size_t found = 0;
  xb_error error;
  for (size_t i = 0; i < given->count; i++)
    found += xb_isa_is_document(given->files[i]);
  if (!found)
    return -1;
  int code = XB_EXIT_OK;
  json_t *rows = json_array();
  for (size_t i = 0; i < given->count && !code; i++) {
    json_t *more = NULL;
    const bool other = !access(given->files[i], F_OK) && !xb_isa_is_document(given->files[i]);
    if (other || given->base || given->search_count)
      code = xb_report_error(XB_EXIT_USAGE,
                             "report: %s: files of 'xbench isa' need a separate report: name them alone, without "
                             "--base",
                             given->files[0]);
    else if (xb_isa_load(given->files[i], &more, &error))
      code = xb_report_error(XB_EXIT_USAGE, "%s", error.message);
    json_array_extend(rows, more);
    json_decref(more);
  }
  if (!code && (code = xb_output_open(&output, given->output, XB_OUTPUT_OTHER) ? -1 : XB_EXIT_USAGE) < 0) {
    code = xb_isa_report_write(output.file, rows, given->count == 1 ? given->files[0] : "several files");
    if (code < 0)
      code = xb_output_commit(&output) ? XB_EXIT_OK : XB_EXIT_USAGE;
    else
      xb_output_abandon(&output);
  }
  json_decref(rows);
  return code;
}

static int run(xb_invocation *in)
{
  report_words *given = in->own;
  const int of_isa = report_isa(given);
  if (of_isa >= 0)
    return of_isa;
  const xb_document *documents[MOST_FILES] = {NULL};
  xb_tuning tunings[XB_MOST_TUNINGS] = {{.root = NULL}};
  xb_view view = {0};
  xb_diff diff = {0};
  xb_error error;
  int code = -1;
  for (size_t i = 0; i < given->count && code < 0; i++)
    code = xb_report_refusal(xb_document_load(given->files[i], &documents[i], &error), &error);
  for (size_t i = 0; i < given->search_count && code < 0; i++)
    if (xb_tuning_load(given->searches[i], &tunings[i], &error))
      code = xb_report_error(XB_EXIT_USAGE, "%s", error.message);
  if (code < 0)
    code = check_size(documents, given->count);
  if (code < 0 && given->base)
    code = compare(&diff, documents[0], documents[1]);
  if (code < 0 && !xb_view_make(&view, documents, given->count))
    code = xb_report_error(XB_EXIT_DEVICE, "report: out of host memory");
  if (code < 0)
    code = write_page(given, &view, given->base ? &diff : NULL, tunings, given->search_count);
  xb_view_free(&view);
  xb_diff_free(&diff);
  for (size_t i = 0; i < given->search_count; i++)
    xb_tuning_free(&tunings[i]);
  for (size_t i = 0; i < given->count; i++)
    xb_document_free(documents[i]);
  return code;
}

const xb_subcommand xb_command_report = {.name = "report",
                                         .usage = "[--base OLD.json] FILE... -o report.html",
                                         .where = "report: ",
                                         .options = options,
                                         .own_bytes = sizeof(report_words),
                                         .take = take,
                                         .run = run};
