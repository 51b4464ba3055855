#include "commands/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool shown;

static void format_left(double seconds, char *out, size_t out_bytes)
{
  if (seconds >= 90)
    snprintf(out, out_bytes, "%.0f min", seconds / 60);
  else
    snprintf(out, out_bytes, "%.0f s", seconds);
}

void xb_progress_show(const char *what, double done, double spent_s)
{
  static const char full[] = "##############################", empty[] = "..............................";
  const int width = sizeof full - 1, filled = (int)(done * width);
  char left[32] = "?";
  if (!isatty(STDERR_FILENO))
    return;
  if (done > 0.02)
    format_left(spent_s * (1 - done) / done, left, sizeof left);
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
