/* xbench with one more benchmark, which is added at run time. */
#include "base/exit_codes.h"
#include "commands/subcommands.h"
#include "tally.h"

#include <stdio.h>

int main(int argc, char **argv)
{
  int (*run)(void);
  xb_error error;
  if (tally_add(&error))
    return xb_report_error(XB_EXIT_DEVICE, "%s", error.message);
  const int code = xb_parse_command(argc, (const char **)argv, &run);
  return xb_finish_stdout(code < 0 ? run() : code);
}
