#include "commands/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool shown;

void xb_progress_show(const char *what, double done, double spent_s)
{
  static const char full[] = "##############################", empty[] = "..............................";
  const int width = sizeof full - 1, filled = (int)(done * width);
  char left[32] = "?";
  if (!isatty(STDERR_FILENO))
    return;
  const double seconds = spent_s * (1 - done) / done;
  if (done > 0.02)
    snprintf(left, sizeof left, seconds >= 90 ? "%.0f min" : "%.0f s", seconds >= 90 ? seconds / 60 : seconds);
  shown = true;
  fprintf(stderr, "\r\033[K[%.*s%.*s] %3.0f %%, about %s left, %s", filled, full, width - filled, empty, 100 * done,
          left, what);
}

void xb_progress_clear(void)
{
  if (shown)
    fputs("\r\033[K", stderr);
  shown = false;
}
