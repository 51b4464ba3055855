/* xbench with a benchmark more, which was added at run time. */
#include "commands/subcommands.h"
#include "exit_codes.h"
#include "tally.h"

#include <stdio.h>

int main(int argc, char **argv)
{
  static xb_options options;
  xb_error error;
  if (tally_add(&error))
    return xb_complain(XB_EXIT_DEVICE, "%s", error.message);
  xb_subcommand *const subcommand = argc > 1 ? xb_subcommand_find(argv[1]) : NULL;
  if (subcommand)
    return xb_finish_stdout(subcommand(argc - 1, (const char **)argv + 1));
  int code = xb_parse_options(argc, (const char **)argv, &options);
  if (code < 0)
    code = options.command == XB_COMMAND_LIST ? xb_command_list(&options) : xb_command_run(&options);
  return xb_finish_stdout(code);
}
