#include "commands/diff_options.h"

#include "commands/command_line.h"
#include "commands/values.h"

#include <string.h>

/* Options as text, before they are checked. */
static struct {
  char *threshold, *json, *seed;
  int markdown, force;
} raw;

static const struct poptOption options[] = {
    XB_TEXT("threshold", 0, raw.threshold,
            "a regression is slower by more than this, with its whole interval (default 3%, on a CPU 10%)", "PERCENT"),
    XB_FLAG("force", 0, raw.force, "compare what can be compared, though devices, sizes, ... are not the same"),
    XB_FLAG("markdown", 0, raw.markdown, "Markdown on stdout instead of the table"),
    XB_TEXT("json", 0, raw.json, "write the comparison to this file", "FILE"),
    XB_TEXT("seed", 0, raw.seed, "of resampling (default 1)", "N"),
    POPT_AUTOHELP POPT_TABLEEND};

static bool check_words(const char **words)
{
  const size_t count = words[0] ? words[1] ? words[2] ? 3 : 2 : 1 : 0;
  if (count != 2)
    return xb_mistake("diff: %s: expected two files that 'xbench --json' wrote: xbench diff BASE.json NEW.json",
                      count > 2 ? "more than two files"
                      : count   ? "one file"
                                : "no files");
  if (!xb_check_file("--json", raw.json))
    return false;
  if (raw.json && (!strcmp(raw.json, words[0]) || !strcmp(raw.json, words[1])))
    return xb_mistake("--json: '%s' is what is compared: name another file", raw.json);
  return true;
}

int xb_parse_diff(int argc, const char **argv, xb_diff_options *o)
{
  static xb_command_line line = {
      .name = "xbench diff", .usage = "[OPTION...] BASE.json NEW.json", .where = "", .options = options};
  const int code = xb_read_command_line(&line, argc, argv);
  if (code >= 0)
    return code;
  if (!check_words(line.words))
    return XB_EXIT_USAGE;
  *o = (xb_diff_options){.base = line.words[0],
                         .now = line.words[1],
                         .json = raw.json,
                         .threshold = -1,
                         .seed = 1,
                         .markdown = raw.markdown,
                         .force = raw.force};
  const bool good =
      xb_parse_percent("--threshold", raw.threshold, 0, &o->threshold) && xb_parse_count("--seed", raw.seed, &o->seed);
  return good ? -1 : XB_EXIT_USAGE;
}
