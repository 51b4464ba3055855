#include "exit_codes.h"

#include "safe_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

int xb_finish_stdout(int exit_code)
{
  if (!fflush(stdout) && !ferror(stdout))
    return exit_code;
  const int reported = xb_report_error(XB_EXIT_USAGE, "stdout: cannot be written: %s", strerror(errno));
  return exit_code ? exit_code : reported;
}
