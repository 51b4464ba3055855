#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
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
  signal(SIGPIPE, SIG_IGN); /* the reader of the table may leave; the files are still wanted */
  signal(SIGXFSZ, SIG_IGN); /* a file-size limit is reported as a write error; it must not kill the program */
  const int code = xb_parse_command(argc, (const char **)argv, &run);
  return xb_finish_stdout(code < 0 ? run() : code);
}
