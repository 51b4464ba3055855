#include "commands/subcommands.h"

#include <stddef.h>
#include <string.h>

static const xb_subcommand table[] = {
    {"guide", xb_command_guide},
};

const xb_subcommand *xb_subcommand_find(const char *word)
{
  for (size_t i = 0; word && i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, word))
      return &table[i];
  return NULL;
}
