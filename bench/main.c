#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_codes.h"
#include "benchmarks/registry.h"
#include "commands/subcommands.h"

/* If a standard stream is closed, the next opened file would get its number. */
static bool open_standard_streams(void)
{
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
      return false;
  return true;
}

int main(int argc, char **argv)
{
  int (*run)(void);
  if (!open_standard_streams())
    return XB_EXIT_USAGE;
  /* Older validation layers (before 1.4.309) find hazards between submissions and between dispatches only with these.
   * setenv is only safe before threads exist. */
  setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
  setenv("VK_LAYER_SYNCVAL_SHADER_ACCESSES_HEURISTIC", "1", 0);
  signal(SIGPIPE, SIG_IGN); /* the reader of stdout may close it; the other files must still be written */
  signal(SIGCHLD, SIG_DFL); /* a parent that ignores it would leave nothing to wait for */
  signal(SIGXFSZ, SIG_IGN); /* a file-size limit is reported as a write error; it must not kill the program */
  const int code = xb_parse_command(argc, (const char **)argv, &run);
  const int ended = code < 0 ? run() : code;
  xb_benchmarks_close();
  return xb_finish_stdout(ended);
}
