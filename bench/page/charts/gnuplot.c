#define _GNU_SOURCE /* memfd_create */
#include "page/charts/chart.h"

#include "base/exit_codes.h"
#include "base/program.h"
#include "base/whole_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_OUTPUT = 16 << 20, MOST_ERROR_OUTPUT = 4096 };
enum { SCRIPT, OUTPUT, ERRORS, FILES }; /* in memory */

static bool open_files(int files[FILES], const char *script, size_t length)
{
  bool good = true;
  for (int i = 0; i < FILES; i++)
    good = (files[i] = memfd_create("gnuplot", MFD_CLOEXEC)) >= 0 && good;
  return good && write(files[SCRIPT], script, length) == (ssize_t)length && !lseek(files[SCRIPT], 0, SEEK_SET);
}

/* gnuplot gets default signal handling, and no environment variables that change its behaviour. */
static int run(const int files[FILES], int *status)
{
  static const char *const argv[] = {"gnuplot", "-d", "-", NULL};
  char path[4096];
  const char *environment[] = {"LC_ALL=C", NULL, NULL}, *search = getenv("PATH");
  if (search && (size_t)snprintf(path, sizeof path, "PATH=%s", search) < sizeof path)
    environment[1] = path;
  return xb_run_child(&(xb_child){.argv = argv,
                                  .environment = environment,
                                  .input = files[SCRIPT],
                                  .output = files[OUTPUT],
                                  .error = files[ERRORS],
                                  .most_bytes = MOST_OUTPUT,
                                  .limit_s = xb_program_limit_s()},
                      status);
}

/* The first error line or, if there is none, the first line that is not empty. Warnings and lines of the script come
 * before an error. */
static char *find_error(char *error_output)
{
  char *first = NULL, *rest = NULL;
  for (char *line = error_output ? strtok_r(error_output, "\n", &rest) : NULL; line;
       line = strtok_r(NULL, "\n", &rest)) {
    line += strspn(line, " \t^");
    if (!strncmp(line, "line ", 5) && !strstr(line, "warning:"))
      return line;
    first = first || !*line ? first : line;
  }
  return first;
}

/* Safe for a terminal. */
static const char *first_error(char *error_output)
{
  char *line = find_error(error_output);
  for (char *p = line; p && *p; p++)
    if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f)
      *p = '?';
  return line ? line : "it printed no reason";
}

static int report(int error, int status, int errors)
{
  if (error == EFBIG)
    return xb_report_error(XB_EXIT_UNAVAILABLE, "gnuplot printed more than %d MiB for one chart", MOST_OUTPUT >> 20);
  if (error == ETIMEDOUT)
    return xb_report_error(XB_EXIT_UNAVAILABLE, "gnuplot did not finish a chart within %g s", xb_program_limit_s());
  if (error)
    return xb_report_error(XB_EXIT_UNAVAILABLE, "gnuplot: %s", strerror(error));
  size_t bytes;
  char *said = status ? xb_read_some(errors, MOST_ERROR_OUTPUT, &bytes) : NULL;
  if (!said) /* gnuplot has written a chart or its reason, and it could not be read */
    return xb_report_error(XB_EXIT_DEVICE, "report: out of host memory");
  const int code =
      xb_report_error(XB_EXIT_UNAVAILABLE, "gnuplot failed (%s %d): %s", WIFSIGNALED(status) ? "signal" : "exit code",
                      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), first_error(said));
  free(said);
  return code;
}

int xb_gnuplot(const char *script, size_t length, char **text)
{
  int files[FILES], status = 0;
  size_t bytes;
  const int error = open_files(files, script, length) ? run(files, &status) : errno;
  *text = error || status ? NULL : xb_read_some(files[OUTPUT], MOST_OUTPUT, &bytes);
  const int code = *text ? -1 : report(error, status, files[ERRORS]);
  for (int i = 0; i < FILES; i++)
    if (files[i] >= 0)
      close(files[i]);
  return code;
}
