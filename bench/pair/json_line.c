/* Finds the line of a value in a JSON text that was parsed before, so it is known to be valid. */
#include "pair/pair.h"

#include <stdio.h>
#include <string.h>

typedef struct search {
  const char *target, *found;
  char path[256]; /* of the value at hand */
} search;

static const char *skip(const char *p, const char *characters)
{
  return p + strspn(p, characters);
}

/* The end of the string that begins at `p`. */
static const char *skip_string(const char *p)
{
  for (p++; *p && *p != '"'; p++)
    p += *p == '\\' && p[1];
  return *p ? p + 1 : p;
}

static const char *value(search *s, const char *p)
{
  const char open = *p;
  const size_t length = strlen(s->path);
  if (!strcmp(s->path, s->target))
    s->found = p;
  if (open == '"')
    return skip_string(p);
  if (open != '{' && open != '[')
    return p + strcspn(p, ",]} \t\r\n");
  p = skip(p + 1, " \t\r\n");
  for (int i = 0; *p && *p != '}' && *p != ']'; i++) {
    const char *key = p;
    if (open == '{') {
      p = skip(skip_string(p), " \t\r\n:");
      snprintf(s->path + length, sizeof s->path - length, "%s%.*s", length ? "." : "", (int)strcspn(key + 1, "\""),
               key + 1);
    } else {
      snprintf(s->path + length, sizeof s->path - length, "[%d]", i);
    }
    p = skip(value(s, p), " \t\r\n,");
    s->path[length] = 0;
  }
  return *p ? p + 1 : p;
}

int xb_pair_line(const char *text, const char *path)
{
  search s = {.target = path};
  int line = 1;
  value(&s, skip(text, " \t\r\n"));
  for (const char *p = text; s.found && p < s.found; p++)
    line += *p == '\n';
  return s.found ? line : 0;
}
