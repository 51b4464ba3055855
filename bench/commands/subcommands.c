#include "commands/subcommands.h"

#include <stddef.h>
#include <string.h>

/* In alphabetical order. */
static const xb_subcommand subcommands[] = {
    {"diff", xb_command_diff},
    {"guide", xb_command_guide},
    {"report", xb_command_report},
    {"show", xb_command_show},
};

const xb_subcommand *xb_subcommand_find(const char *word)
{
  for (size_t i = 0; word && i < sizeof subcommands / sizeof subcommands[0]; i++)
    if (!strcmp(subcommands[i].name, word))
      return &subcommands[i];
  return NULL;
}
