/* Text that is not ours (of a file, a driver, a command line), for core, the backends and the program. */
#ifndef XB_UTF8_H
#define XB_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the UTF-8 character at `text`, reading at most `length` bytes. Returns its number of bytes. If it is invalid
 * (RFC 3629), returns 1 and sets `*character` to UINT32_MAX. */
static inline size_t xb_decode(const char *text, size_t length, uint32_t *character)
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

/* False for what a terminal acts upon: control and escape characters (C0, DEL, C1), line and paragraph separators,
 * marks that change the writing direction; and for what is no character. */
static inline bool xb_is_shown(uint32_t c)
{
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool direction =
      c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return c != UINT32_MAX && !control && !direction && c != 0x2028 && c != 0x2029;
}

/* Puts blanks in place of the others, but for `kept`. */
static inline void xb_make_printable(char *text, char kept)
{
  for (uint32_t character; *text;) {
    size_t bytes = xb_decode(text, SIZE_MAX, &character);
    const bool shown = xb_is_shown(character) || *text == kept;
    for (; bytes; bytes--, text++)
      *text = shown ? *text : ' ';
  }
}

#endif
