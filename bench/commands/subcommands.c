#include "commands/subcommands.h"

#include "result/json_memory.h"

#include <string.h>

int xb_parse_command(int argc, const char **argv, int (**run)(void))
{
  static const xb_subcommand *const all[] = {&xb_command_diff, &xb_command_guide, &xb_command_report, &xb_command_show};
  const xb_subcommand *command = &xb_command_main;
  xb_json_watch_memory();
  for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i]->name, argv[1]))
      command = all[i];
  const int named = command != &xb_command_main;
  *run = command->run;
  const int code = xb_read_command_line(command->line, argc - named, argv + named);
  return code < 0 ? command->take(command->line->words) : code;
}
