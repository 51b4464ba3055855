#include "os/start.h"

#include <fcntl.h>
#include <signal.h>

/* If a standard stream is closed, the next opened file would get its number. */
static bool open_standard_streams(void)
{
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
      return false;
  return true;
}

bool xb_start(int argc, char **argv)
{
  (void)argc, (void)argv;
  signal(SIGPIPE, SIG_IGN); /* the reader of stdout may close it; the other files must still be written */
  signal(SIGCHLD, SIG_DFL); /* a parent that ignores it would leave nothing to wait for */
  signal(SIGXFSZ, SIG_IGN); /* a file-size limit is reported as a write error; it must not kill the program */
  return open_standard_streams();
}
