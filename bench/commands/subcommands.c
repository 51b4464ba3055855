#include "commands/subcommands.h"

#include <string.h>

xb_subcommand *xb_subcommand_find(const char *word)
{
  static const struct {
    const char *name;
    xb_subcommand *run;
  } all[] = {
      {"diff", xb_command_diff}, {"guide", xb_command_guide}, {"report", xb_command_report}, {"show", xb_command_show}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i].name, word))
      return all[i].run;
  return NULL;
}
