#include "base/exit_codes.h"

#include "base/fold.h"
#include "base/safe_text.h"
#include "os/console.h"

#include <errno.h>
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

/* What is known of each exit code: whether stderr has its reason, and else the reason to print at the end. */
enum { CODES = 256 };
static bool told[CODES];
static struct {
  char text[1024];
  unsigned count;
} kept[XB_EXIT_UNDECIDED + 1];

void xb_exit_set_silent(int exit_code)
{
  told[exit_code % CODES] = true;
}

void xb_exit_set(int exit_code, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (exit_code > 0 && exit_code <= XB_EXIT_UNDECIDED && !kept[exit_code].count++)
    vsnprintf(kept[exit_code].text, sizeof kept[exit_code].text, format, args);
  va_end(args);
}

void xb_forget_reasons(void)
{
  memset(kept, 0, sizeof kept);
  memset(told, 0, sizeof told);
}

/* Without a reason, says what the code means. */
static void report_reason(int exit_code)
{
  static const char *const usual[] = {[XB_EXIT_WRONG] = "a result was wrong",
                                      [XB_EXIT_USAGE] = "the command line, or a file that it names, is invalid",
                                      [XB_EXIT_UNAVAILABLE] = "a requested API, device or feature is not available",
                                      [XB_EXIT_DEVICE] = "the device failed",
                                      [XB_EXIT_REGRESSION] = "there is a regression",
                                      [XB_EXIT_UNDECIDED] = "too few cells are decided"};
  char more[32] = "";
  if (exit_code <= 0 || told[exit_code % CODES])
    return;
  if (exit_code > XB_EXIT_UNDECIDED)
    xb_report_error(exit_code, "interrupted");
  else if (!kept[exit_code].count)
    xb_report_error(exit_code, "%s", usual[exit_code]);
  else {
    if (kept[exit_code].count > 1)
      snprintf(more, sizeof more, " (and %u more)", kept[exit_code].count - 1);
    xb_report_error(exit_code, "%s%s", kept[exit_code].text, more);
  }
}

int xb_report_error(int exit_code, const char *format, ...)
{
  char text[4096];
  va_list args;
  xb_exit_set_silent(exit_code);
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fputs("xbench: ", stderr);
  xb_print_safe(stderr, text);
  fputc('\n', stderr);
  return exit_code;
}

int xb_report_refusal(xb_code code, const xb_error *error)
{
  return code ? xb_report_error(code == XB_INVALID ? XB_EXIT_USAGE : xb_exit_code(code), "%s", error->message) : -1;
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
  xb_fold_end();
  report_reason(exit_code);
  if ((!write_error && !ferror(stdout)) || write_error == EPIPE || xb_reader_is_gone(STDOUT_FILENO))
    return exit_code;
  const int reported = xb_report_error(XB_EXIT_USAGE, "stdout: cannot be written: %s",
                                       write_error ? strerror(write_error) : "a part of the output is lost");
  return exit_code ? exit_code : reported;
}
