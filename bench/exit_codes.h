/* What a run ends with. */
#ifndef XB_EXIT_CODES_H
#define XB_EXIT_CODES_H

#include "xb/error.h"

enum {
  XB_EXIT_OK = 0,
  XB_EXIT_WRONG = 1,       /* a result was wrong */
  XB_EXIT_USAGE = 2,       /* the command line, or a file named on it, is bad */
  XB_EXIT_UNAVAILABLE = 3, /* the backend, device or feature asked for is not there */
  XB_EXIT_DEVICE = 4,      /* the device failed: out of memory, lost, timed out */
  XB_EXIT_REGRESSION = 5,  /* diff found one */
  XB_EXIT_INTERRUPTED = 130,
};

int xb_exit_code(xb_code code);

/* "xbench: ..." on stderr, one line, safe for a terminal. Returns `exit_code`. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int xb_report_error(int exit_code, const char *format, ...);

/* Flushes stdout; what could not be written there is a failure, too. Returns the exit code. */
int xb_finish_stdout(int exit_code);

#endif
