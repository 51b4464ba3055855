#include "base/word_list.h"

#include <string.h>

bool xb_is_listed(const char *list, const char *word, size_t length)
{
  for (const char *p = list; length && p;) {
    if (*p == *word && !strncmp(p, word, length) && (p[length] == ' ' || !p[length]))
      return true;
    p = strchr(p, ' ');
    if (p)
      p++;
  }
  return false;
}

void xb_add_listed(char *list, size_t bytes, const char *word)
{
  if (strlen(list) + strlen(word) + 3 < bytes)
    strcat(strcat(list, *list ? ", " : ""), word);
}
