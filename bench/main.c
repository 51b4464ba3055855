#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/subcommands.h"
#include "exit_codes.h"

/* A closed standard stream would lend its number to the next file that is opened. */
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
  /* Vulkan's validation layer finds hazards between submissions only with this; set here, before there are threads. */
  setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
  signal(SIGPIPE, SIG_IGN); /* the reader of the table may leave; the files are still wanted */
  signal(SIGXFSZ, SIG_IGN); /* a file-size limit is reported as a write error; it must not kill the program */
  const int code = xb_parse_command(argc, (const char **)argv, &run);
  return xb_finish_stdout(code < 0 ? run() : code);
}
