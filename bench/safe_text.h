/* Text that came from elsewhere (a file, its name, a driver) made safe for a terminal. */
#ifndef XB_SAFE_TEXT_H
#define XB_SAFE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* Copies `text` into `out` (at least 8 bytes) with a '?' for each byte that is no UTF-8 and each character that a
 * terminal would obey instead of showing it: control and escape characters (C0, DEL, C1), line and paragraph
 * separators, and what turns the direction of writing. What does not fit is cut between characters, and ends in "...".
 * Returns `out`. */
const char *xb_safe_text(const char *text, char *out, size_t out_bytes);

/* The next character of a text that is not at its end, as above: `*bytes` bytes of it. Moves on in the text. */
const char *xb_next_safe(const char **text, size_t *bytes);

/* All of it, to a file. False: it could not be written. */
bool xb_print_safe(FILE *file, const char *text);

#endif
