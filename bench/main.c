#include "commands/commands.h"

int main(int argc, char **argv)
{
  xb_options options;
  const int code = xb_parse_options(argc, (const char **)argv, &options);
  if (code >= 0)
    return code;
  return options.list ? xb_command_list(&options) : xb_command_run(&options);
}
