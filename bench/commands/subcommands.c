#include "commands/subcommands.h"

#include <stddef.h>
#include <string.h>

static const xb_subcommand subcommands[] = {
    {"diff", xb_command_diff},
};

const xb_subcommand *xb_subcommand_find(const char *word)
{
  for (size_t i = 0; i < sizeof subcommands / sizeof subcommands[0]; i++)
    if (!strcmp(word, subcommands[i].name))
      return &subcommands[i];
  return NULL;
}
