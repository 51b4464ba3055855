#include "base/word_list.h"

#include <string.h>

bool xb_is_listed(const char *list, const char *word, size_t length)
{
  for (size_t here; *list; list += here + (list[here] == ' ')) {
    here = strcspn(list, " ");
    if (here == length && !memcmp(list, word, length))
      return true;
  }
  return false;
}

void xb_add_listed(char *list, size_t bytes, const char *word)
{
  if (strlen(list) + strlen(word) + 3 < bytes)
    strcat(strcat(list, *list ? ", " : ""), word);
}
