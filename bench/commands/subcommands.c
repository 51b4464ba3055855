#include "commands/subcommands.h"

#include <string.h>

static xb_options options;

static int run_or_list(void)
{
  return options.command == XB_COMMAND_LIST ? xb_command_list(&options) : xb_command_run(&options);
}

int xb_parse_command(int argc, const char **argv, int (**run)(void))
{
  static const xb_subcommand *const all[] = {&xb_command_diff, &xb_command_guide, &xb_command_report, &xb_command_show};
  for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i]->name, argv[1]) != 0)
      continue;
    *run = all[i]->run;
    const int code = xb_read_command_line(all[i]->line, argc - 1, argv + 1);
    return code < 0 ? all[i]->take(all[i]->line->words) : code;
  }
  *run = run_or_list;
  return xb_parse_options(argc, argv, &options);
}
