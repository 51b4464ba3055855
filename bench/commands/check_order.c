/* CUDA leaves open in which order blocks begin and threads run. A device that emulates it takes the order from a seed,
 * in the variable XB_ORDER; each seed runs in a process of its own, and only whether it was right counts. */
#include "commands/run_parts.h"

#include "base/exit_codes.h"
#include "base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ORDERS = 8 };

static int run_quietly(const xb_options *options, uint32_t seed, int (*run)(const xb_options *options))
{
  xb_options o = *options;
  char text[16];
  snprintf(text, sizeof text, "%u", seed);
  const int nothing = open("/dev/null", O_WRONLY);
  if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 || setenv("XB_ORDER", text, 1))
    return XB_EXIT_DEVICE;
  o.json = o.csv = NULL; /* the run before has written them */
  o.quiet = true;
  return run(&o);
}

static int run_apart(const xb_options *options, uint32_t seed, int (*run)(const xb_options *options))
{
  int status = 0;
  pid_t waited;
  xb_flush_stdout();
  fflush(NULL);
  const pid_t child = fork();
  if (!child)
    _exit(run_quietly(options, seed, run));
  if (child < 0)
    return XB_EXIT_DEVICE;
  do
    waited = waitpid(child, &status, 0);
  while (waited < 0 && errno == EINTR);
  return waited == child && WIFEXITED(status) ? WEXITSTATUS(status) : XB_EXIT_DEVICE;
}

int xb_check_order(const xb_options *options, int (*run)(const xb_options *options))
{
  for (uint32_t seed = 1; seed <= ORDERS; seed++) {
    const int code = run_apart(options, seed, run);
    if (code == XB_EXIT_WRONG || code == XB_EXIT_DEVICE)
      return xb_report_error(
          XB_EXIT_WRONG,
          "order: right as numbered, but not in another order of threads and blocks, which CUDA leaves "
          "open: the smallest seed is %u; XB_ORDER=%u before the command shows it",
          seed, seed);
    if (code)
      return code;
  }
  printf("order: right in %d other orders of threads and blocks\n", ORDERS);
  return XB_EXIT_OK;
}
