#include "commands/report_options.h"

#include "commands/command_line.h"
#include "safe_text.h"

#include <string.h>
#include <sys/stat.h>

static bool same_file(const char *a, const char *b)
{
  struct stat x, y;
  return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool check(const xb_report_options *o)
{
  char name[256];
  if (!o->count)
    return xb_mistake("report: no result file named: give what 'xbench --json FILE' wrote");
  if (!o->output || !*o->output || !strcmp(o->output, "-"))
    return xb_mistake("report: no page named: give -o report.html (/dev/stdout is one)");
  for (size_t i = 1; i < o->count; i++)
    for (size_t k = 0; k < i; k++)
      if (same_file(o->files[i], o->files[k]))
        return xb_mistake("report: %s: named twice: each of its cells would count twice",
                          xb_safe_text(o->files[i], name, sizeof name));
  for (size_t i = 0; i < o->count; i++)
    if (same_file(o->files[i], o->output))
      return xb_mistake("report: %s: would be overwritten by its own report: give -o another name",
                        xb_safe_text(o->files[i], name, sizeof name));
  return true;
}

int xb_parse_report(int argc, const char **argv, xb_report_options *o)
{
  static char *output;
  static const struct poptOption options[] = {XB_TEXT("output", 'o', output, "write the page there", "FILE"),
                                              POPT_AUTOHELP POPT_TABLEEND};
  static xb_command_line line = {
      .name = "xbench report", .usage = "FILE... -o report.html", .where = "report: ", .options = options};
  const int code = xb_read_command_line(&line, argc, argv);
  if (code >= 0)
    return code;
  *o = (xb_report_options){.output = output};
  for (const char **word = line.words; *word; word++) {
    if (o->count == XB_MOST_REPORT_FILES)
      return xb_complain(XB_EXIT_USAGE, "report: more than %d files named", XB_MOST_REPORT_FILES);
    o->files[o->count++] = *word;
  }
  return check(o) ? -1 : XB_EXIT_USAGE;
}
