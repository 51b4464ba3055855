#include <stdlib.h>

#include "base/exit_codes.h"
#include "base/fold.h"
#include "benchmarks/registry.h"
#include "commands/subcommands.h"
#include "os/start.h"

int main(int argc, char **argv)
{
  static xb_invocation in; /* static: what it holds stays in use until the program ends */
  if (!xb_start(argc, argv))
    return XB_EXIT_USAGE;
  xb_guard_stdout();
  /* Older validation layers (before 1.4.309) find hazards between submissions and between dispatches only with these.
   * setenv is only safe before threads exist. */
  setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
  setenv("VK_LAYER_SYNCVAL_SHADER_ACCESSES_HEURISTIC", "1", 0);
  const int code = xb_parse_command(&in, argc, (const char **)argv);
  const int ended = code < 0 ? xb_run_command(&in) : code;
  xb_benchmarks_close();
  return xb_finish_stdout(ended);
}
