#include "base/safe_text.h"

#include <string.h>

const char *xb_next_safe(const char **text, size_t *bytes)
{
  uint32_t character;
  const char *here = *text;
  const size_t length = xb_decode(here, SIZE_MAX, &character);
  *text += length;
  *bytes = xb_is_shown(character) ? length : 1;
  return xb_is_shown(character) ? here : "?";
}

const char *xb_safe_text(const char *text, char *out, size_t out_bytes)
{
  static const char cut[] = "...";
  size_t at = 0, room = 0, bytes; /* room: the longest end of text that leaves space for the cut mark */
  while (*text) {
    const char *shown_as = xb_next_safe(&text, &bytes);
    if (at + bytes >= out_bytes) {
      memcpy(out + room, cut, sizeof cut);
      return out;
    }
    memcpy(out + at, shown_as, bytes);
    at += bytes;
    if (at + sizeof cut <= out_bytes)
      room = at;
  }
  out[at] = 0;
  return out;
}

bool xb_print_safe(FILE *file, const char *text)
{
  char part[4096]; /* stderr has no buffer of its own */
  bool good = true;
  for (size_t at = 0, bytes; *text;) {
    const char *shown_as = xb_next_safe(&text, &bytes);
    memcpy(part + at, shown_as, bytes);
    at += bytes;
    if (!*text || at + 4 > sizeof part) {
      good = good && fwrite(part, 1, at, file) == at;
      at = 0;
    }
  }
  return good;
}
