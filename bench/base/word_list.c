#include "base/word_list.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NAME = 64 };

bool xb_is_listed(const char *list, const char *word, size_t length)
{
  for (const char *p = list; length && (p = strchr(p, *word)); p++)
    if ((p == list || p[-1] == ' ') && !strncmp(p, word, length) && (p[length] == ' ' || !p[length]))
      return true;
  return false;
}

void xb_add_listed(char *list, size_t bytes, const char *word)
{
  if (strlen(list) + strlen(word) + 3 < bytes)
    strcat(strcat(list, *list ? ", " : ""), word);
}

/* The Levenshtein distance, computed one row at a time. `*of_beginning`: of `a` to the nearest beginning of `b`. */
static size_t distance(const char *a, const char *b, size_t *of_beginning)
{
  const size_t n = strlen(b);
  size_t row[MAX_NAME + 1];
  *of_beginning = MAX_NAME;
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
  for (size_t k = 0; k <= n; k++)
    *of_beginning = row[k] < *of_beginning ? row[k] : *of_beginning;
  return row[n];
}

const char *xb_nearest(const char *typed, const char *const *names, size_t count)
{
  const char *nearest = NULL, *beginning = NULL;
  const size_t length = strlen(typed);
  size_t best = length / 2 + 1, best_beginning = length / 3 + (length > 3);
  for (size_t i = 0; i < count; i++) {
    size_t of_beginning;
    const size_t d = distance(typed, names[i], &of_beginning);
    if (d < best) {
      best = d;
      nearest = names[i];
    }
    if (of_beginning < best_beginning) {
      best_beginning = of_beginning;
      beginning = names[i];
    }
  }
  return nearest ? nearest : beginning;
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
