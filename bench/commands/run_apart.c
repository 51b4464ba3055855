#include "commands/run_apart.h"

#include "base/whole_file.h"
#include "commands/subcommands.h"
#include "os/child.h"
#include "os/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Measures, and writes the results to the file; its table is not shown. */
static int measure(xb_apart_fn *fn, void *user, int file, FILE *errors)
{
  char path[32];
  snprintf(path, sizeof path, "/dev/fd/%d", file);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int nothing = open("/dev/null", O_WRONLY); /* stdout may be a stream that folds lines */
  if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 || (errors && dup2(fileno(errors), STDERR_FILENO) < 0))
    return XB_EXIT_DEVICE;
  return fn(path, user);
}

int xb_run_into(const char *path, void *user)
{
  xb_options o = *(const xb_options *)user;
  o.json = path;
  o.apart = true;
  return xb_command_run(&o);
}

static volatile sig_atomic_t stopped;

static void on_interrupt(int signal_number)
{
  (void)signal_number;
  stopped = 1;
}

/* Ctrl-C goes to both processes, and to compilers. The one that measures ends the run; this one waits for it. */
static int wait_for(pid_t child, char why[XB_WHY])
{
  struct sigaction before;
  int status = 0;
  pid_t waited;
  stopped = 0;
  sigaction(SIGINT, &(struct sigaction){.sa_handler = on_interrupt}, &before);
  do
    waited = waitpid(child, &status, 0);
  while (waited < 0 && errno == EINTR);
  sigaction(SIGINT, &before, NULL);
  if (stopped)
    return XB_EXIT_INTERRUPTED;
  if (waited == child && WIFEXITED(status))
    return WEXITSTATUS(status);
  snprintf(why, XB_WHY, "the measurement was ended by signal %d", WTERMSIG(status));
  return XB_EXIT_DEVICE;
}

/* The last error of the other process, without the program's name before it. */
static void take_error(FILE *errors, char why[XB_WHY])
{
  char line[XB_WHY];
  rewind(errors);
  while (fgets(line, sizeof line, errors)) {
    line[strcspn(line, "\n")] = 0;
    const bool own = !strncmp(line, "xbench: ", 8);
    if (*line && (own || !*why))
      snprintf(why, XB_WHY, "%s", own ? line + 8 : line);
  }
}

static int call_apart(xb_apart_fn *fn, void *user, char **bytes, size_t *count, FILE *errors, char why[XB_WHY])
{
  FILE *file = xb_tmpfile();
  *bytes = NULL;
  *why = 0;
  xb_flush_stdout();
  fflush(NULL);
  const pid_t child = file ? fork() : -1;
  if (!child)
    _exit(measure(fn, user, fileno(file), errors)); /* what is open here is the parent's to close */
  if (child < 0)
    snprintf(why, XB_WHY, "%s", file ? "no process can be started to measure in" : xb_temporary_why());
  int code = child < 0 ? XB_EXIT_DEVICE : wait_for(child, why);
  if (child > 0)
    *bytes = xb_read_some(fileno(file), SIZE_MAX - 1, count);
  if (child > 0 && !*bytes) {
    snprintf(why, XB_WHY, "out of host memory");
    code = XB_EXIT_DEVICE;
  }
  if (file)
    fclose(file);
  if (!code && !*count)
    snprintf(why, XB_WHY, "the measurement wrote no results");
  /* A wrong result or a lost device is in the document. */
  return *bytes && *count && code != XB_EXIT_USAGE && code != XB_EXIT_INTERRUPTED ? -1 : code ? code : XB_EXIT_DEVICE;
}

/* Where no process can be copied: in this one, and quietly. A driver that crashes ends the program. */
static int call_here(xb_apart_fn *fn, void *user, char **bytes, size_t *count, FILE *errors, char why[XB_WHY])
{
  char path[XB_TEMPORARY_BYTES];
  const int file = xb_temporary_file(path, ""), shown_errors = errors ? dup(STDERR_FILENO) : -1;
  FILE *const shown = stdout, *hidden = xb_tmpfile();
  *bytes = NULL;
  *count = 0;
  snprintf(why, XB_WHY, "the measurement wrote no results");
  if (file < 0 || !hidden)
    return XB_EXIT_DEVICE;
  xb_flush_stdout();
  if (errors)
    dup2(fileno(errors), STDERR_FILENO);
  stdout = hidden;
  const int code = fn(path, user);
  stdout = shown;
  fclose(hidden);
  if (errors) {
    dup2(shown_errors, STDERR_FILENO);
    close(shown_errors);
  }
  const int written = open(path, O_RDONLY | O_CLOEXEC); /* another file may have taken its place */
  *bytes = written < 0 ? NULL : xb_read_some(written, SIZE_MAX - 1, count);
  if (written >= 0)
    close(written);
  close(file);
  xb_temporary_remove(path);
  return *bytes && *count && code != XB_EXIT_USAGE && code != XB_EXIT_INTERRUPTED ? -1 : code ? code : XB_EXIT_DEVICE;
}

int xb_run_apart(const xb_options *options, char **bytes, size_t *count)
{
  char why[XB_WHY];
  xb_options o = *options;
  const int code = (XB_HAS_FORK ? call_apart : call_here)(xb_run_into, &o, bytes, count, NULL, why);
  if (code >= 0 && *why)
    return xb_report_error(code, "diff: %s", why);
  if (code > 0)
    xb_told_elsewhere(code); /* by the process that measured */
  return code;
}

int xb_call_apart(xb_apart_fn *fn, void *user, char **bytes, size_t *count, char why[XB_WHY])
{
  FILE *errors = xb_tmpfile();
  const int code = (XB_HAS_FORK ? call_apart : call_here)(fn, user, bytes, count, errors, why);
  if (errors) {
    take_error(errors, why);
    fclose(errors);
  }
  return code;
}
