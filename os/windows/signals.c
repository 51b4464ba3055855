#include "wide.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIGNALS = 32 };

static struct sigaction set_for[SIGNALS];

/* The C library sets a signal back to its default before it calls this. */
static void on_signal(int number)
{
  const struct sigaction set = set_for[number];
  if (set.sa_flags & SA_RESETHAND)
    set_for[number] = (struct sigaction){.sa_handler = SIG_DFL};
  else
    signal(number, on_signal);
  set.sa_handler(number);
}

int sigaction(int number, const struct sigaction *set, struct sigaction *before)
{
  if (number < 0 || number >= SIGNALS) {
    errno = EINVAL;
    return -1;
  }
  if (before)
    *before = set_for[number];
  if (!set)
    return 0;
  set_for[number] = *set;
  if (number != SIGALRM)
    signal(number, set->sa_handler == SIG_DFL || set->sa_handler == SIG_IGN ? set->sa_handler : on_signal);
  return 0;
}

/* ---- alarm() ---------------------------------------------------------------------------------------------------- */

static HANDLE timer;

static void CALLBACK ring(void *nothing, BOOLEAN fired)
{
  (void)nothing, (void)fired;
  if (set_for[SIGALRM].sa_handler)
    set_for[SIGALRM].sa_handler(SIGALRM);
}

unsigned alarm(unsigned seconds)
{
  if (timer)
    DeleteTimerQueueTimer(NULL, timer, NULL);
  timer = NULL;
  if (seconds)
    CreateTimerQueueTimer(&timer, NULL, ring, NULL, seconds * 1000, 0, WT_EXECUTEONLYONCE);
  return 0;
}

const char *strsignal(int number)
{
  return number == SIGSEGV ? "access violation" : number == SIGABRT ? "abort" : "a signal";
}
