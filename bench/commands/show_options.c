#include "commands/show_options.h"

#include "commands/values.h"
#include "exit_codes.h"

#include <popt.h>
#include <stdlib.h>
#include <string.h>

/* Options as text, before they are checked. */
typedef struct raw_show {
  char *backend, *columns, *before, *html;
  int diff, host, headers;
  const char *word, *against; /* BENCHMARK/VARIANT, and what --diff holds it against */
} raw_show;

/* `xbench show --diff reduce/7`: the word behind an option that may do without is the only one there is. */
static int take_word(raw_show *raw, const char **words)
{
  if (words && words[0] && words[1])
    return xb_complain(XB_EXIT_USAGE, "show: one pair at a time, not also '%s'", words[1]);
  raw->word = words && words[0] ? words[0] : raw->before;
  raw->against = words && words[0] ? raw->before : NULL;
  if (!raw->word)
    return xb_complain(XB_EXIT_USAGE, "show: no BENCHMARK/VARIANT named: try 'xbench show reduce/7'");
  return -1;
}

static int check(const raw_show *raw)
{
  const int code = xb_parse_backend(raw->backend);
  if (code >= 0)
    return code;
  if (raw->columns && strcmp(raw->columns, "1") != 0 && strcmp(raw->columns, "2") != 0)
    return xb_complain(XB_EXIT_USAGE, "--columns: '%s': expected 1, one above the other, or 2, side by side",
                       raw->columns);
  if (raw->html && (!*raw->html || !strcmp(raw->html, "-")))
    return xb_complain(XB_EXIT_USAGE, "--html: '%s': expected the name of a file (/dev/stdout is one)", raw->html);
  if (raw->host + raw->diff + raw->headers > 1)
    return xb_complain(XB_EXIT_USAGE, "--diff, --headers and --host show different things: give one of them");
  return -1;
}

static int find(const raw_show *raw, xb_show_options *o)
{
  int code = xb_show_find(raw->word, &o->pair);
  if (code < 0 && o->diff)
    code = xb_show_find_before(raw->against, &o->pair, &o->before);
  if (code >= 0 || !raw->backend || !strcmp(raw->backend, "all"))
    return code;
  if (!xb_twins_keep(&o->pair, raw->backend) || (o->diff && !xb_twins_keep(&o->before, raw->backend)))
    return xb_complain(XB_EXIT_UNAVAILABLE, "show: backend %s has no kernel sources of its own", raw->backend);
  return code;
}

static void release(raw_show *raw, poptContext context)
{
  free(raw->backend);
  free(raw->columns);
  free(raw->before);
  free(raw->html);
  *raw = (raw_show){0};
  poptFreeContext(context);
}

int xb_parse_show(int argc, const char **argv, xb_show_options *o)
{
  /* Values and words belong to these, until there are others. */
  static raw_show raw;
  static poptContext context;
  const struct poptOption table[] = {
      {"backend", 'b', POPT_ARG_STRING, &raw.backend, 0, "only this side (default: both)", xb_language_backends},
      {"columns", 0, POPT_ARG_STRING, &raw.columns, 0,
       "sides beside each other, or one above the other (default: 2 where the terminal has 80 columns)", "1|2"},
      {"diff", 0, POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL, &raw.before, 'd',
       "what it changed against this variant (default: the rung before), in each language", "VARIANT"},
      {"headers", 0, POPT_ARG_NONE, &raw.headers, 0, "also the headers that the two include", NULL},
      {"host", 0, POPT_ARG_NONE, &raw.host, 0, "how the host sets the work up: the plan, and what each API makes of it",
       NULL},
      {"html", 0, POPT_ARG_STRING, &raw.html, 0, "write a page instead of text", "FILE"},
      POPT_AUTOHELP POPT_TABLEEND};
  release(&raw, context);
  argv[0] = "xbench show"; /* popt's usage line takes the name from here */
  context = poptGetContext("xbench show", argc, argv, table, 0);
  poptSetOtherOptionHelp(context, "[OPTION...] BENCHMARK/VARIANT");
  int rc;
  while ((rc = poptGetNextOpt(context)) > 0)
    raw.diff = 1;
  if (rc < -1)
    return xb_complain(XB_EXIT_USAGE, "show: %s: %s; 'xbench show --help' lists the options", poptBadOption(context, 0),
                       poptStrerror(rc));
  int code = take_word(&raw, poptGetArgs(context));
  if (code < 0)
    code = check(&raw);
  *o = (xb_show_options){
      .columns = raw.columns, .html = raw.html, .headers = raw.headers, .host = raw.host, .diff = raw.diff};
  return code < 0 ? find(&raw, o) : code;
}
