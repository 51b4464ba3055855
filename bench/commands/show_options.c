#include "commands/show_options.h"

#include "commands/command_line.h"
#include "commands/values.h"

#include <string.h>

/* Options as text, before they are checked. */
static struct {
  char *backend, *columns, *before, *html;
  int host, headers;
} raw;

static const struct poptOption options[] = {
    XB_TEXT("backend", 'b', raw.backend, "only this side (default: both)", xb_language_backends),
    XB_TEXT("columns", 0, raw.columns,
            "sides beside each other, or one above the other (default: 2 where the terminal has 80 columns)", "1|2"),
    {"diff", 0, POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL, &raw.before, 'd',
     "what it changed against this variant (default: the rung before), in each language", "VARIANT"},
    XB_FLAG("headers", 0, raw.headers, "also the headers that the two include"),
    XB_FLAG("host", 0, raw.host, "how the host sets the work up: the plan, and what each API makes of it"),
    XB_TEXT("html", 0, raw.html, "write a page instead of text", "FILE"),
    POPT_AUTOHELP POPT_TABLEEND};

/* `xbench show --diff reduce/7`: the word behind an option that may do without is the only one there is. */
static bool take_word(const char **words, const char **pair, const char **against)
{
  if (words[0] && words[1])
    return xb_mistake("show: one pair at a time, not also '%s'", words[1]);
  *pair = words[0] ? words[0] : raw.before;
  *against = words[0] ? raw.before : NULL;
  return *pair || xb_mistake("show: no BENCHMARK/VARIANT named: try 'xbench show reduce/7'");
}

static bool check(bool diff)
{
  if (!xb_parse_backend(raw.backend))
    return false;
  if (raw.columns && strcmp(raw.columns, "1") != 0 && strcmp(raw.columns, "2") != 0)
    return xb_mistake("--columns: '%s': expected 1, one above the other, or 2, side by side", raw.columns);
  if (!xb_check_file("--html", raw.html))
    return false;
  if (raw.host + diff + raw.headers > 1)
    return xb_mistake("--diff, --headers and --host show different things: give one of them");
  return true;
}

int xb_parse_show(int argc, const char **argv, xb_show_options *o)
{
  static xb_command_line line = {
      .name = "xbench show", .usage = "[OPTION...] BENCHMARK/VARIANT", .where = "show: ", .options = options};
  const char *pair = NULL, *against = NULL;
  const int code = xb_read_command_line(&line, argc, argv);
  if (code >= 0)
    return code;
  if (!take_word(line.words, &pair, &against) || !check(line.value))
    return XB_EXIT_USAGE;
  *o = (xb_show_options){
      .columns = raw.columns, .html = raw.html, .headers = raw.headers, .host = raw.host, .diff = line.value};
  if (!xb_show_find(pair, &o->pair) || (o->diff && !xb_show_find_before(against, &o->pair, &o->before)))
    return XB_EXIT_USAGE;
  if (!raw.backend || !strcmp(raw.backend, "all"))
    return -1;
  if (!xb_twins_keep(&o->pair, raw.backend) || (o->diff && !xb_twins_keep(&o->before, raw.backend)))
    return xb_complain(XB_EXIT_UNAVAILABLE, "show: backend %s has no kernel sources of its own", raw.backend);
  return -1;
}
