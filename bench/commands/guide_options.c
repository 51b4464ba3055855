#include "commands/guide_options.h"

#include "commands/values.h"
#include "exit_codes.h"

#include <popt.h>
#include <stdlib.h>
#include <string.h>

static int choose_cases(xb_guide_options *o, const char **words)
{
  const char *names[XB_MAX_GUIDE_CASES];
  const size_t all = xb_guide_case_count();
  for (size_t i = 0; i < all; i++)
    names[i] = xb_guide_case_at(i)->name;
  for (; words && *words; words++) {
    const xb_guide_case *named = xb_guide_case_find(*words);
    if (!named)
      return xb_complain_unknown("case of the guide", *words, names, all);
    for (size_t i = 0; i < o->count; i++)
      if (o->cases[i] == named)
        return xb_complain(XB_EXIT_USAGE, "guide: '%s' is named twice", named->name);
    o->cases[o->count++] = named;
  }
  for (size_t i = 0; !o->count && i < all; i++)
    o->cases[i] = xb_guide_case_at(i);
  o->count = o->count ? o->count : all;
  return -1;
}

static void release(xb_guide_options *raw, poptContext context)
{
  free(raw->backend);
  free(raw->device);
  free(raw->json);
  *raw = (xb_guide_options){0};
  poptFreeContext(context);
}

int xb_parse_guide(int argc, const char **argv, xb_guide_options *o)
{
  /* Values and words belong to these, until there are others. */
  static xb_guide_options raw;
  static poptContext context;
  const struct poptOption table[] = {
      {"backend", 'b', POPT_ARG_STRING, &raw.backend, 0, "API to run on, or all (default: all that reach the device)",
       "NAME"},
      {"device", 'd', POPT_ARG_STRING, &raw.device, 0, "device to run on (default: the fastest kind)",
       "INDEX|UUID|NAME"},
      {"json", 0, POPT_ARG_STRING, &raw.json, 0, "write what was seen and what holds", "FILE"},
      {"cost", 0, POPT_ARG_NONE, &raw.cost, 0, "also time what cases have to compare", NULL},
      {"list", 'l', POPT_ARG_NONE, &raw.list, 0, "list the cases", NULL},
      POPT_AUTOHELP POPT_TABLEEND};
  release(&raw, context);
  argv[0] = "xbench guide"; /* popt shows it in --help */
  context = poptGetContext("xbench guide", argc, argv, table, 0);
  poptSetOtherOptionHelp(context, "[OPTION...] [CASE]...");
  const int rc = poptGetNextOpt(context);
  if (rc < -1)
    return xb_complain(XB_EXIT_USAGE, "%s: %s; 'xbench guide --help' lists the options", poptBadOption(context, 0),
                       poptStrerror(rc));
  *o = raw;
  if (o->json && (!*o->json || !strcmp(o->json, "-")))
    return xb_complain(XB_EXIT_USAGE, "--json: '%s': expected the name of a file (/dev/stdout is one)", o->json);
  const int code = xb_parse_backend(o->backend);
  return code < 0 ? choose_cases(o, poptGetArgs(context)) : code;
}
