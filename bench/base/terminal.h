/* Properties of the terminal: its width, its colours, and the width of characters. */
#ifndef XB_TERMINAL_H
#define XB_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum { XB_LEAST_WIDTH = 20, XB_DEFAULT_WIDTH = 80, XB_MOST_WIDTH = 1000 };

typedef enum xb_colours { XB_COLOURS_AUTO, XB_COLOURS_ALWAYS, XB_COLOURS_NEVER } xb_colours;

/* --wide and --color. */
void xb_terminal_set(bool wide, xb_colours colours);
/* True with --wide. */
bool xb_terminal_is_wide(void);

/* The width of stdout in columns: of the terminal; if stdout is not a terminal, from COLUMNS; else XB_DEFAULT_WIDTH.
 * XB_MOST_WIDTH with --wide. */
size_t xb_terminal_width(void);
/* The same for text that programs may read: without a terminal and COLUMNS, or with --wide, there is no limit
 * (SIZE_MAX). */
size_t xb_terminal_limit(void);
/* The width of the terminal that stderr is; 0 if it is none. */
size_t xb_terminal_progress_width(void);

/* Unless --color says otherwise: true if stdout is a terminal with colours and NO_COLOR is not set. */
bool xb_terminal_colours(void);
#define XB_RED "\033[31m"
#define XB_GREEN "\033[32m"
#define XB_YELLOW "\033[33m"
#define XB_NO_COLOUR "\033[0m"

/* One UTF-8 character. */
typedef struct xb_glyph {
  size_t bytes, columns;
  const char *instead; /* print this instead, because the bytes may be a terminal command; NULL: print the bytes */
} xb_glyph;

/* The first character of `text`, which has at least one byte. */
xb_glyph xb_glyph_at(const char *text, size_t length);

#endif
