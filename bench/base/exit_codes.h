/* The exit codes of the program. */
#ifndef XB_EXIT_CODES_H
#define XB_EXIT_CODES_H

#include "xb/error.h"

enum {
  XB_EXIT_OK = 0,
  XB_EXIT_WRONG = 1,       /* a result was wrong */
  XB_EXIT_USAGE = 2,       /* the command line is wrong, or a file that it names is unusable */
  XB_EXIT_UNAVAILABLE = 3, /* the requested backend, device or feature is missing */
  XB_EXIT_DEVICE = 4,      /* the device failed: out of memory, lost, timed out */
  XB_EXIT_REGRESSION = 5,  /* diff found a regression */
  XB_EXIT_UNDECIDED = 6,   /* diff decided fewer cells than --min-decided asks for */
  XB_EXIT_INTERRUPTED = 130,
};

int xb_exit_code(xb_code code);

/* Prints "xbench: ..." on stderr: one line, safe for a terminal. Returns `exit_code`. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int xb_report_error(int exit_code, const char *format, ...);

/* Reports what an API or a file refused. Returns its exit code: XB_INVALID is a mistake of the user's. -1: XB_OK. */
int xb_report_refusal(xb_code code, const xb_error *error);

/* Keeps a reason for this exit code, which xb_finish_stdout() prints if nothing was reported with the code. Of several,
 * it prints the first one and how many more there are. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void xb_exit_set(int exit_code, const char *format, ...);
/* Forgets all reasons: for a copy of the process that gives its own. */
void xb_forget_reasons(void);
/* Another process has said on stderr why this process ends with `exit_code`. */
void xb_exit_set_silent(int exit_code);

/* Shows what was printed so far. An error is kept for the function below. */
void xb_flush_stdout(void);
/* The end of each command. If nothing on stderr says why `exit_code` is not 0, one line does. Flushes stdout and
 * reports a write error, which is an error exit unless `exit_code` already is. A reader that closed the pipe has read
 * what it wanted: that is no error. Returns the exit code. */
int xb_finish_stdout(int exit_code);

#endif
