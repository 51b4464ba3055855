#include "commands/report_options.h"

#include "exit_codes.h"
#include "safe_text.h"

#include <popt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool same_file(const char *a, const char *b)
{
  struct stat x, y;
  return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int check(const xb_report_options *o)
{
  char name[256];
  if (!o->count)
    return xb_complain(XB_EXIT_USAGE, "report: no result file named: give what 'xbench --json FILE' wrote");
  if (!o->output || !*o->output || !strcmp(o->output, "-"))
    return xb_complain(XB_EXIT_USAGE, "report: no page named: give -o report.html (/dev/stdout is one)");
  for (size_t i = 1; i < o->count; i++)
    for (size_t k = 0; k < i; k++)
      if (same_file(o->files[i], o->files[k]))
        return xb_complain(XB_EXIT_USAGE, "report: %s: named twice: each of its cells would count twice",
                           xb_safe_text(o->files[i], name, sizeof name));
  for (size_t i = 0; i < o->count; i++)
    if (same_file(o->files[i], o->output))
      return xb_complain(XB_EXIT_USAGE, "report: %s: would be overwritten by its own report: give -o another name",
                         xb_safe_text(o->files[i], name, sizeof name));
  return -1;
}

static int take_words(poptContext context, xb_report_options *o)
{
  for (const char *word = poptGetArg(context); word; word = poptGetArg(context)) {
    if (o->count == XB_MOST_REPORT_FILES)
      return xb_complain(XB_EXIT_USAGE, "report: more than %d files named", XB_MOST_REPORT_FILES);
    o->files[o->count++] = word;
  }
  return -1;
}

int xb_parse_report(int argc, const char **argv, xb_report_options *o)
{
  /* Values and words belong to these, until there are others. */
  static char *output;
  static poptContext context;
  const struct poptOption table[] = {{"output", 'o', POPT_ARG_STRING, &output, 0, "write the page there", "FILE"},
                                     POPT_AUTOHELP POPT_TABLEEND};
  char bad[256];
  free(output);
  output = NULL;
  poptFreeContext(context);
  argv[0] = "xbench report"; /* what --help calls it */
  context = poptGetContext("xbench report", argc, argv, table, 0);
  if (!context)
    return xb_complain(XB_EXIT_DEVICE, "report: out of host memory");
  poptSetOtherOptionHelp(context, "FILE... -o report.html");
  const int rc = poptGetNextOpt(context);
  if (rc < -1)
    return xb_complain(XB_EXIT_USAGE, "report: %s: %s; 'xbench report --help' lists the options",
                       xb_safe_text(poptBadOption(context, 0), bad, sizeof bad), poptStrerror(rc));
  *o = (xb_report_options){.output = output};
  const int code = take_words(context, o);
  return code < 0 ? check(o) : code;
}
