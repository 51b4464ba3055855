#include "commands/subcommands.h"

#include <stddef.h>
#include <string.h>

static const xb_subcommand subcommands[] = {
    {"report", xb_command_report},
};

const xb_subcommand *xb_subcommand_find(const char *word)
{
  for (size_t i = 0; i < sizeof subcommands / sizeof subcommands[0]; i++)
    if (!strcmp(subcommands[i].name, word))
      return &subcommands[i];
  return NULL;
}
