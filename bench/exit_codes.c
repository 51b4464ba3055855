#include "exit_codes.h"

#include <stdarg.h>
#include <stdio.h>

int xb_exit_code(xb_code code)
{
  switch (code) {
  case XB_OK: return XB_EXIT_OK;
  case XB_UNAVAILABLE:
  case XB_UNSUPPORTED: return XB_EXIT_UNAVAILABLE;
  default: return XB_EXIT_DEVICE;
  }
}

int xb_complain(int exit_code, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fputs("xbench: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return exit_code;
}
