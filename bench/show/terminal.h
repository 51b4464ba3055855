/* What text is shown on: how wide it is, whether it has colours, and how much room a character takes. */
#ifndef XB_TERMINAL_H
#define XB_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum { XB_LEAST_WIDTH = 20, XB_DEFAULT_WIDTH = 80, XB_MOST_WIDTH = 1000 };

/* Of stdout, in columns: the terminal's own; where it is none, what COLUMNS says; else XB_DEFAULT_WIDTH. */
size_t xb_terminal_width(void);
/* On a terminal that is no dumb one, unless NO_COLOR is set. */
bool xb_terminal_colours(void);

/* One character of UTF-8. */
typedef struct xb_glyph {
  size_t bytes, columns;
  const char *instead; /* NULL: print the bytes. What a terminal would take as a command is no character */
} xb_glyph;

/* The first of `text`, which has a byte at least. */
xb_glyph xb_glyph_at(const char *text, size_t length);

#endif
