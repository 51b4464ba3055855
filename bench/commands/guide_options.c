#include "commands/guide_options.h"

#include "commands/command_line.h"
#include "commands/values.h"

static xb_guide_options raw;

static const struct poptOption options[] = {
    XB_TEXT("backend", 'b', raw.backend, "API to run on, or all (default: all that reach the device)", "NAME"),
    XB_TEXT("device", 'd', raw.device, "device to run on (default: the fastest kind)", "INDEX|UUID|NAME"),
    XB_TEXT("json", 0, raw.json, "write what was seen and what holds", "FILE"),
    XB_FLAG("cost", 0, raw.cost, "also time what cases have to compare"),
    XB_FLAG("list", 'l', raw.list, "list the cases"),
    POPT_AUTOHELP POPT_TABLEEND};

static bool choose_cases(xb_guide_options *o, const char **words)
{
  const char *names[XB_MAX_GUIDE_CASES];
  const size_t all = xb_guide_case_count();
  for (size_t i = 0; i < all; i++)
    names[i] = xb_guide_case_at(i)->name;
  for (; *words; words++) {
    const xb_guide_case *named = xb_guide_case_find(*words);
    if (!named)
      return xb_mistake_unknown("case of the guide", *words, names, all);
    for (size_t i = 0; i < o->count; i++)
      if (o->cases[i] == named)
        return xb_mistake("guide: '%s' is named twice", named->name);
    o->cases[o->count++] = named;
  }
  for (size_t i = 0; !o->count && i < all; i++)
    o->cases[i] = xb_guide_case_at(i);
  o->count = o->count ? o->count : all;
  return true;
}

int xb_parse_guide(int argc, const char **argv, xb_guide_options *o)
{
  static xb_command_line line = {
      .name = "xbench guide", .usage = "[OPTION...] [CASE]...", .where = "", .options = options};
  const int code = xb_read_command_line(&line, argc, argv);
  if (code >= 0)
    return code;
  *o = raw;
  const bool good = xb_check_file("--json", o->json) && xb_parse_backend(o->backend) && choose_cases(o, line.words);
  return good ? -1 : XB_EXIT_USAGE;
}
