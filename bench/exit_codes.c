#include "exit_codes.h"

#include "safe_text.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int xb_exit_code(xb_code code)
{
  switch (code) {
  case XB_OK: return XB_EXIT_OK;
  case XB_UNAVAILABLE:
  case XB_UNSUPPORTED: return XB_EXIT_UNAVAILABLE;
  default: return XB_EXIT_DEVICE;
  }
}

int xb_report_error(int exit_code, const char *format, ...)
{
  char text[4096];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fputs("xbench: ", stderr);
  xb_print_safe(stderr, text);
  fputc('\n', stderr);
  return exit_code;
}

/* A pipe without a reader, or a socket whose other end is closed. */
static bool reader_is_gone(int fd)
{
  struct pollfd asked = {.fd = fd};
  return poll(&asked, 1, 0) == 1 && asked.revents & (POLLERR | POLLHUP);
}

static int write_error; /* the first one of stdout: a later flush may succeed */

void xb_flush_stdout(void)
{
  if (fflush(stdout) && !write_error)
    write_error = errno;
}

int xb_finish_stdout(int exit_code)
{
  xb_flush_stdout();
  if ((!write_error && !ferror(stdout)) || write_error == EPIPE || reader_is_gone(STDOUT_FILENO))
    return exit_code;
  const int reported = xb_report_error(XB_EXIT_USAGE, "stdout: cannot be written: %s",
                                       write_error ? strerror(write_error) : "a part of the output is lost");
  return exit_code ? exit_code : reported;
}
