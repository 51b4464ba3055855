#include "commands/diff_options.h"

#include "commands/values.h"
#include "exit_codes.h"

#include <popt.h>
#include <stdlib.h>
#include <string.h>

/* Options as text, before they are checked. */
typedef struct raw_diff {
  char *threshold, *json, *seed;
  int markdown, force;
} raw_diff;

static int take_words(const char **words, xb_diff_options *o)
{
  const size_t count = words && words[0] ? words[1] ? words[2] ? 3 : 2 : 1 : 0;
  if (count != 2)
    return xb_complain(XB_EXIT_USAGE,
                       "diff: %s: expected two files that 'xbench --json' wrote: xbench diff BASE.json NEW.json",
                       count > 2 ? "more than two files"
                       : count   ? "one file"
                                 : "no files");
  o->base = words[0];
  o->now = words[1];
  if (o->json && (!*o->json || !strcmp(o->json, "-")))
    return xb_complain(XB_EXIT_USAGE, "--json: '%s': expected the name of a file (/dev/stdout is one)", o->json);
  if (o->json && (!strcmp(o->json, o->base) || !strcmp(o->json, o->now)))
    return xb_complain(XB_EXIT_USAGE, "--json: '%s' is what is compared: name another file", o->json);
  return -1;
}

static int take_values(const raw_diff *raw, xb_diff_options *o)
{
  const int code = xb_parse_percent("--threshold", raw->threshold, 0, &o->threshold);
  return code < 0 ? xb_parse_count("--seed", raw->seed, &o->seed) : code;
}

static void release(raw_diff *raw, poptContext context)
{
  free(raw->threshold);
  free(raw->json);
  free(raw->seed);
  *raw = (raw_diff){0};
  poptFreeContext(context);
}

int xb_parse_diff(int argc, const char **argv, xb_diff_options *o)
{
  /* Values and words belong to these, until there are others. */
  static raw_diff raw;
  static poptContext context;
  const struct poptOption table[] = {
      {"threshold", 0, POPT_ARG_STRING, &raw.threshold, 0,
       "a regression is slower by more than this, with its whole interval (default 3%, on a CPU 10%)", "PERCENT"},
      {"force", 0, POPT_ARG_NONE, &raw.force, 0,
       "compare what can be compared, though devices, sizes, ... are not the same", NULL},
      {"markdown", 0, POPT_ARG_NONE, &raw.markdown, 0, "Markdown on stdout instead of the table", NULL},
      {"json", 0, POPT_ARG_STRING, &raw.json, 0, "write the comparison to this file", "FILE"},
      {"seed", 0, POPT_ARG_STRING, &raw.seed, 0, "of resampling (default 1)", "N"},
      POPT_AUTOHELP POPT_TABLEEND};
  release(&raw, context);
  argv[0] = "xbench diff"; /* what --help calls it */
  context = poptGetContext("xbench diff", argc, argv, table, 0);
  poptSetOtherOptionHelp(context, "[OPTION...] BASE.json NEW.json");
  const int rc = poptGetNextOpt(context);
  if (rc < -1)
    return xb_complain(XB_EXIT_USAGE, "%s: %s; 'xbench diff --help' lists the options", poptBadOption(context, 0),
                       poptStrerror(rc));
  *o = (xb_diff_options){.json = raw.json, .threshold = -1, .seed = 1, .markdown = raw.markdown, .force = raw.force};
  const int code = take_words(poptGetArgs(context), o);
  return code < 0 ? take_values(&raw, o) : code;
}
