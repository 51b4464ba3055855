#include "commands/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static bool shown;

void xb_progress_show(void *user, const char *what, size_t done, size_t total)
{
  (void)user;
  if (!isatty(STDERR_FILENO))
    return;
  shown = true;
  if (total)
    fprintf(stderr, "\r\033[K%s %zu of %zu", what, done, total);
  else
    fprintf(stderr, "\r\033[K%s, round %zu", what, done);
}

void xb_progress_clear(void)
{
  if (shown)
    fputs("\r\033[K", stderr);
  shown = false;
}
