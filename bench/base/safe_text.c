#include "base/safe_text.h"

#include <string.h>

size_t xb_decode(const char *text, size_t length, uint32_t *character)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char lead = (unsigned char)text[0];
  const size_t bytes = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 0;
  *character = bytes == 1 ? lead : lead & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; i++) {
    if (i >= length || (text[i] & 0xC0) != 0x80) { /* also true at the end of a string */
      *character = UINT32_MAX;
      return 1;
    }
    *character = *character << 6 | (text[i] & 0x3F);
  }
  if (bytes && *character >= least[bytes] && *character <= 0x10FFFF && *character >> 11 != 0xD800 >> 11)
    return bytes;
  *character = UINT32_MAX;
  return 1;
}

static bool shown(uint32_t c)
{
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool direction =
      c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return c != UINT32_MAX && !control && !direction && c != 0x2028 && c != 0x2029;
}

const char *xb_next_safe(const char **text, size_t *bytes)
{
  uint32_t character;
  const char *here = *text;
  const size_t length = xb_decode(here, SIZE_MAX, &character);
  *text += length;
  *bytes = shown(character) ? length : 1;
  return shown(character) ? here : "?";
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
  size_t bytes;
  while (*text) {
    const char *shown_as = xb_next_safe(&text, &bytes);
    if (fwrite(shown_as, 1, bytes, file) != bytes)
      return false;
  }
  return true;
}
