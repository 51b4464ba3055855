#include "commands/run_apart.h"

#include "commands/subcommands.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Measures, and writes the results to the file; its table is not shown. */
static int measure(const xb_options *options, int file)
{
  char path[32];
  xb_options o = *options;
  snprintf(path, sizeof path, "/dev/fd/%d", file);
  o.json = path;
  o.apart = true;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (!freopen("/dev/null", "w", stdout))
    return XB_EXIT_DEVICE;
  return xb_command_run(&o);
}

/* Ctrl-C goes to both processes. The one that measures ends the run; this one waits for it. */
static int wait_for(pid_t child)
{
  struct sigaction before;
  int status = 0;
  sigaction(SIGINT, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
  const bool waited = waitpid(child, &status, 0) == child;
  sigaction(SIGINT, &before, NULL);
  if (!waited || !WIFEXITED(status))
    return xb_report_error(XB_EXIT_DEVICE, "diff: the measurement was ended by signal %d", WTERMSIG(status));
  return WEXITSTATUS(status);
}

static char *read_all(FILE *file, size_t *count)
{
  if (fseek(file, 0, SEEK_END))
    return NULL;
  const long end = ftell(file);
  char *bytes = end >= 0 ? malloc((size_t)end + 1) : NULL;
  rewind(file);
  *count = bytes ? fread(bytes, 1, (size_t)end, file) : 0;
  return bytes;
}

int xb_run_apart(const xb_options *options, char **bytes, size_t *count)
{
  FILE *file = tmpfile();
  *bytes = NULL;
  fflush(NULL);
  const pid_t child = file ? fork() : -1;
  if (!child)
    _exit(measure(options, fileno(file))); /* what is open here is the parent's to close */
  int code =
      child < 0 ? xb_report_error(XB_EXIT_DEVICE, "diff: no process can be started to measure in") : wait_for(child);
  if (child > 0 && !(*bytes = read_all(file, count)))
    code = xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  if (file)
    fclose(file);
  /* A wrong result or a lost device is in the document, and `diff` says so. */
  return *bytes && *count && code != XB_EXIT_USAGE && code != XB_EXIT_INTERRUPTED ? -1 : code ? code : XB_EXIT_DEVICE;
}
