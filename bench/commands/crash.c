#define _GNU_SOURCE /* sigaltstack */
#include "commands/run_parts.h"
#include "os/supervise.h"

#include "base/safe_text.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char parts[2][sizeof((xb_output *)NULL)->part]; /* copies: an output may be gone when the program crashes */
static char shown[2][sizeof parts[0]];
static char stack[1 << 16]; /* the usual one may have overflowed */

static void say(const char *text)
{
  xb_write_stream(STDERR_FILENO, text, strlen(text));
}

/* Calls only what POSIX allows in a handler. SA_RESETHAND: the second signal has its usual effect. */
static void on_crash(int number)
{
  bool any = false;
  say("xbench: it crashed, most likely in the driver");
  for (int i = 0; i < 2; i++)
    if (*parts[i] && !access(parts[i], F_OK)) {
      say(any ? " and " : "; finished results are in ");
      say(shown[i]);
      any = true;
    }
  say("\n");
  raise(number);
}

void xb_say_upon_crash(const xb_output *json, const xb_output *csv)
{
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction before;
  snprintf(parts[0], sizeof parts[0], "%s", json->path ? json->part : "");
  snprintf(parts[1], sizeof parts[1], "%s", csv->path ? csv->part : "");
  for (size_t i = 0; i < 2; i++)
    xb_safe_text(parts[i], shown[i], sizeof shown[i]);
  sigaltstack(&other, NULL);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!sigaction(numbers[i], NULL, &before) && before.sa_handler == SIG_DFL)
      sigaction(numbers[i], &(struct sigaction){.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK},
                NULL);
}
