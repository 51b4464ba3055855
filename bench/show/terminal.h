/* Properties of the terminal: its width, its colours, and the width of characters. */
#ifndef XB_TERMINAL_H
#define XB_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum { XB_LEAST_WIDTH = 20, XB_DEFAULT_WIDTH = 80, XB_MOST_WIDTH = 1000 };

/* The width of stdout in columns: of the terminal; if stdout is not a terminal, from COLUMNS; else XB_DEFAULT_WIDTH. */
size_t xb_terminal_width(void);
/* True if stdout is a terminal with colours and NO_COLOR is not set. */
bool xb_terminal_colours(void);

/* One UTF-8 character. */
typedef struct xb_glyph {
  size_t bytes, columns;
  const char *instead; /* print this instead, because the bytes may be a terminal command; NULL: print the bytes */
} xb_glyph;

/* The first character of `text`, which has at least one byte. */
xb_glyph xb_glyph_at(const char *text, size_t length);

#endif
