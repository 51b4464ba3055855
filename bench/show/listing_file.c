/* Sources of the user. They may have anything in them; a listing has no control characters and no tabs. */
#include "show/listing.h"
#include "whole_file.h"

enum { TAB = 4 };

bool xb_listing_file(const char *path, xb_arena *arena, xb_listing *source)
{
  char *text;
  size_t bytes, length = 0, column = 0;
  *source = (xb_listing){.path = path};
  if (xb_read_whole_file(path, arena, &text, &bytes, NULL))
    return true;
  char *shown = xb_arena_take(arena, bytes, TAB);
  for (size_t i = 0; shown && i < bytes; i++) {
    const unsigned char c = (unsigned char)text[i];
    size_t count = c == '\t' ? TAB - column % TAB : c != '\r';
    column = c == '\n' ? 0 : column + count;
    while (count--)
      shown[length++] = c == '\t' ? ' ' : (c < ' ' && c != '\n') || c == 0x7F ? '?' : text[i];
  }
  return shown && xb_listing_lex(path, shown, length, arena, source);
}
