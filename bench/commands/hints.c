#include "commands/selection.h"

#include "base/nearest.h"
#include "commands/subcommands.h"
#include "commands/values.h"

#include <stdio.h>
#include <string.h>

bool xb_check_first_word(const char *word)
{
  const char *names[XB_MOST_COMMANDS + 32];
  const size_t commands = xb_command_names(names);
  size_t count = commands;
  for (const xb_benchmark *b; count < XB_MOST_COMMANDS + 32 && (b = xb_benchmark_at(count - commands)); count++)
    names[count] = b->name;
  const char *near = strchr(word, '/') || xb_benchmark_find(word) ? NULL : xb_nearest(word, names, count);
  if (near && !strcmp(near, word))
    return xb_usage_error("%s: name the command before its options: 'xbench %s ...'", word, word);
  for (size_t i = 0; near && i < commands; i++)
    if (near == names[i])
      return xb_usage_error("unknown command '%s': did you mean '%s'?; 'xbench --help' lists the commands", word, near);
  return true;
}

bool xb_check_word(const char *word, const char *before)
{
  xb_size sizes[XB_MAX_SIZES];
  size_t count = 0;
  char name[64];
  snprintf(name, sizeof name, "%.*s", before ? (int)strcspn(before, "/") : 0, before);
  if (xb_benchmark_find(name) && xb_variant_find(name, word))
    return xb_usage_error("'%s': did you mean '%s/%s'?", word, name, word);
  if (!xb_parse_sizes(word, sizes, &count, NULL))
    return xb_usage_error("'%s': did you mean '--size %s'?", word, word);
  if (xb_is_json_name(word))
    return xb_usage_error("'%s': expected a benchmark; 'xbench diff BASE.json NEW.json' compares result files", word);
  return true;
}
