#include "commands/nearest.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NAME = 64 };

/* The Levenshtein distance, computed one row at a time. */
static size_t distance(const char *a, const char *b)
{
  const size_t n = strlen(b);
  size_t row[MAX_NAME + 1];
  if (n > MAX_NAME)
    return MAX_NAME;
  for (size_t k = 0; k <= n; k++)
    row[k] = k;
  for (size_t i = 1; *a; i++, a++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t k = 1; k <= n; k++) {
      const size_t above = row[k], changed = diagonal + (*a != b[k - 1]);
      row[k] = 1 + (above < row[k - 1] ? above : row[k - 1]);
      row[k] = changed < row[k] ? changed : row[k];
      diagonal = above;
    }
  }
  return row[n];
}

const char *xb_nearest(const char *typed, const char *const *names, size_t count)
{
  const char *nearest = NULL;
  size_t best = strlen(typed) / 2 + 1;
  for (size_t i = 0; i < count; i++) {
    const size_t d = distance(typed, names[i]);
    if (d < best) {
      best = d;
      nearest = names[i];
    }
  }
  return nearest;
}

void xb_join(const char *const *names, size_t count, char *out, size_t out_bytes)
{
  size_t at = 0;
  *out = 0;
  for (size_t i = 0; i < count; i++) {
    const int n = snprintf(out + at, out_bytes - at, "%s%s", i ? ", " : "", names[i]);
    if (n < 0 || (size_t)n >= out_bytes - at) {
      if (out_bytes > 4)
        memcpy(out + out_bytes - 4, "...", 4);
      return;
    }
    at += (size_t)n;
  }
}
