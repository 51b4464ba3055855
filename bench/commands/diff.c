/* xbench diff BASE.json NEW.json: a gate for CI. */
#include "diff/diff.h"
#include "commands/diff_options.h"
#include "commands/subcommands.h"
#include "exit_codes.h"
#include "report/results.h"
#include "safe_text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double GPU_THRESHOLD = 0.03, CPU_THRESHOLD = 0.1;

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
static int compare(const xb_diff_options *o, xb_diff *diff)
{
  xb_error error;
  xb_code code = xb_document_load(o->base, &diff->base, &error);
  if (!code)
    code = xb_document_load(o->now, &diff->now, &error);
  if (!code)
    code = xb_diff_conditions(diff, &error);
  if (code)
    return failed(code, &error);
  if (diff->difference_count && !o->force)
    return refuse_differences(diff);
  set_threshold(diff);
  code = xb_diff_match(diff, &error);
  if (!code)
    code = xb_diff_judge(diff, &error);
  if (code)
    return failed(code, &error);
  if (!diff->mean_count && !diff->counts[XB_CHANGE_FAILING])
    return xb_complain(XB_EXIT_USAGE, "diff: no cell has a time in both %s and %s: nothing was compared", o->base,
                       o->now);
  return -1;
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static bool wants_colour(void)
{
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

static int show(const xb_diff_options *o, const xb_diff *diff, xb_output *json)
{
  const int code = xb_diff_exit_code(diff);
  if (json->file) {
    json->lacking |= !xb_diff_json(diff, json->file);
    if (!xb_output_save(json) || !xb_output_commit(json))
      return XB_EXIT_USAGE;
  }
  if (o->markdown)
    xb_diff_markdown(diff, stdout);
  else
    xb_diff_table(diff, stdout, wants_colour());
  return code;
}

int xb_command_diff(int argc, const char **argv)
{
  static xb_output json = {.in_place = -1};
  xb_diff_options o;
  int code = xb_parse_diff(argc, argv, &o);
  if (code >= 0)
    return code;
  xb_diff *diff = calloc(1, sizeof *diff);
  if (!diff)
    return xb_complain(XB_EXIT_DEVICE, "out of host memory");
  diff->threshold = o.threshold;
  diff->seed = o.seed;
  if (!xb_output_open(&json, o.json))
    code = XB_EXIT_USAGE;
  if (code < 0)
    code = compare(&o, diff);
  if (code < 0)
    code = show(&o, diff, &json);
  xb_output_abandon(&json);
  xb_document_free(diff->base);
  xb_document_free(diff->now);
  xb_diff_free(diff);
  free(diff);
  return code;
}
