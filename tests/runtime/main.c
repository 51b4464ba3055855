/* xbench with one more benchmark, which is added at run time. */
#include "base/exit_codes.h"
#include "commands/subcommands.h"
#include "tally.h"

#include <stdio.h>

int main(int argc, char **argv)
{
  static xb_invocation in;
  xb_error error;
  if (tally_add(&error))
    return xb_report_error(XB_EXIT_DEVICE, "%s", error.message);
  const int code = xb_parse_command(&in, argc, (const char **)argv);
  return xb_finish_stdout(code < 0 ? xb_run_command(&in) : code);
}
