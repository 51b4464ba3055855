/* xbench diff BASE.json NEW.json: a gate for CI. */
#include "diff/diff.h"
#include "commands/subcommands.h"
#include "commands/values.h"
#include "exit_codes.h"
#include "report/results.h"
#include "safe_text.h"

#include <popt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double GPU_THRESHOLD = 0.03, CPU_THRESHOLD = 0.1;

/* Options as text, before they are checked. */
typedef struct raw_diff {
  char *threshold, *json, *seed;
  int markdown, force;
  const char *base, *now;
} raw_diff;

/* ---- Command line ----------------------------------------------------------------------------------------------- */

static int check_words(const char **words, raw_diff *raw)
{
  const size_t count = words && words[0] ? words[1] ? words[2] ? 3 : 2 : 1 : 0;
  if (count != 2)
    return xb_complain(XB_EXIT_USAGE,
                       "diff: %s: expected two files that 'xbench --json' wrote: xbench diff BASE.json NEW.json",
                       count > 2 ? "more than two files"
                       : count   ? "one file"
                                 : "no files");
  raw->base = words[0];
  raw->now = words[1];
  if (raw->json && (!*raw->json || !strcmp(raw->json, "-")))
    return xb_complain(XB_EXIT_USAGE, "--json: '%s': expected the name of a file (/dev/stdout is one)", raw->json);
  if (raw->json && (!strcmp(raw->json, raw->base) || !strcmp(raw->json, raw->now)))
    return xb_complain(XB_EXIT_USAGE, "--json: '%s' is what is compared: name another file", raw->json);
  return -1;
}

/* -1: go on. */
static int parse(int argc, const char **argv, poptContext *context, raw_diff *raw)
{
  const struct poptOption table[] = {
      {"threshold", 0, POPT_ARG_STRING, &raw->threshold, 0,
       "a regression is slower by more than this, with its whole interval (default 3%, on a CPU 10%)", "PERCENT"},
      {"force", 0, POPT_ARG_NONE, &raw->force, 0,
       "compare what can be compared, though devices, sizes, ... are not the same", NULL},
      {"markdown", 0, POPT_ARG_NONE, &raw->markdown, 0, "Markdown on stdout instead of the table", NULL},
      {"json", 0, POPT_ARG_STRING, &raw->json, 0, "write the comparison to this file", "FILE"},
      {"seed", 0, POPT_ARG_STRING, &raw->seed, 0, "of resampling (default 1)", "N"},
      POPT_AUTOHELP POPT_TABLEEND};
  argv[0] = "xbench diff"; /* what --help calls it */
  *context = poptGetContext("xbench diff", argc, argv, table, 0);
  poptSetOtherOptionHelp(*context, "[OPTION...] BASE.json NEW.json");
  const int rc = poptGetNextOpt(*context);
  if (rc < -1)
    return xb_complain(XB_EXIT_USAGE, "%s: %s; 'xbench diff --help' lists the options", poptBadOption(*context, 0),
                       poptStrerror(rc));
  return check_words(poptGetArgs(*context), raw);
}

static int parse_values(const raw_diff *raw, xb_diff *diff)
{
  diff->threshold = -1;
  diff->seed = 1;
  const int code = xb_parse_percent("--threshold", raw->threshold, 0, &diff->threshold);
  return code < 0 ? xb_parse_count("--seed", raw->seed, &diff->seed) : code;
}

/* ---- Conditions ------------------------------------------------------------------------------------------------- */

/* Other conditions are told in one line, the first ones in full. */
static int refuse_differences(const xb_diff *diff)
{
  enum { TOLD = 3 };
  char text[1600] = "", benchmark[64];
  size_t at = 0;
  for (size_t i = 0; i < diff->difference_count && i < TOLD; i++) {
    const xb_difference *d = &diff->differences[i];
    at += (size_t)snprintf(text + at, sizeof text - at, "%sother %s of %s (base: %s; new: %s)", i ? ", " : "", d->what,
                           xb_safe_text(d->benchmark, benchmark, sizeof benchmark), d->base, d->now);
  }
  if (diff->difference_count > TOLD)
    snprintf(text + at, sizeof text - at, ", and %zu more", diff->difference_count - TOLD);
  return xb_complain(XB_EXIT_USAGE,
                     "diff: not measured alike: %s; measure both with the same options on the same "
                     "device, or compare what can be compared with --force",
                     text);
}

static void set_threshold(xb_diff *diff)
{
  bool cpu = false;
  for (size_t i = 0; i < diff->now->device_count; i++)
    cpu |= diff->now->devices[i].type && !strcmp(diff->now->devices[i].type, "cpu");
  if (diff->threshold < 0)
    diff->threshold = cpu ? CPU_THRESHOLD : GPU_THRESHOLD;
}

static int failed(xb_code code, const xb_error *error)
{
  return xb_complain(code == XB_NOMEM ? XB_EXIT_DEVICE : XB_EXIT_USAGE, "%s", error->message);
}

/* -1: compared. */
static int compare(const raw_diff *raw, xb_diff *diff)
{
  xb_error error;
  xb_code code = xb_document_load(raw->base, &diff->base, &error);
  if (!code)
    code = xb_document_load(raw->now, &diff->now, &error);
  if (!code)
    code = xb_diff_conditions(diff, &error);
  if (code)
    return failed(code, &error);
  if (diff->difference_count && !raw->force)
    return refuse_differences(diff);
  set_threshold(diff);
  code = xb_diff_match(diff, &error);
  if (!code)
    code = xb_diff_judge(diff, &error);
  if (code)
    return failed(code, &error);
  if (!diff->mean_count && !diff->counts[XB_CHANGE_FAILING])
    return xb_complain(XB_EXIT_USAGE, "diff: no cell has a time in both %s and %s: nothing was compared", raw->base,
                       raw->now);
  return -1;
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static bool wants_colour(void)
{
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

static int show(const raw_diff *raw, const xb_diff *diff, xb_output *json)
{
  const int code = xb_diff_exit_code(diff);
  if (json->file) {
    json->lacking |= !xb_diff_json(diff, json->file);
    if (!xb_output_save(json) || !xb_output_commit(json))
      return XB_EXIT_USAGE;
  }
  if (raw->markdown)
    xb_diff_markdown(diff, stdout);
  else
    xb_diff_table(diff, stdout, wants_colour());
  return code;
}

int xb_command_diff(int argc, const char **argv)
{
  static xb_output json = {.in_place = -1};
  raw_diff raw = {0};
  xb_diff *diff = calloc(1, sizeof *diff);
  poptContext context = NULL;
  int code = diff ? parse(argc, argv, &context, &raw) : xb_complain(XB_EXIT_DEVICE, "out of host memory");
  if (code < 0)
    code = parse_values(&raw, diff);
  if (code < 0 && !xb_output_open(&json, raw.json))
    code = XB_EXIT_USAGE;
  if (code < 0)
    code = compare(&raw, diff);
  if (code < 0)
    code = show(&raw, diff, &json);
  xb_output_abandon(&json);
  if (diff) {
    xb_document_free(diff->base);
    xb_document_free(diff->now);
    xb_diff_free(diff);
  }
  free(diff);
  free(raw.threshold);
  free(raw.json);
  free(raw.seed);
  poptFreeContext(context);
  return code;
}
