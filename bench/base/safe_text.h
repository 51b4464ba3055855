/* Makes text from outside (a file, its name, a driver) safe for a terminal. */
#ifndef XB_SAFE_TEXT_H
#define XB_SAFE_TEXT_H

#include "core/utf8.h"

#include <stdio.h>

/* Copies `text` into `out` (at least 8 bytes). A '?' replaces each byte that is not valid UTF-8 and each character that
 * a terminal would act on: control and escape characters (C0, DEL, C1), line and paragraph separators, and marks that
 * change the writing direction. Text that does not fit is cut between characters and ends in "...". Returns `out`. */
const char *xb_safe_text(const char *text, char *out, size_t out_bytes);

/* Returns the next character of a text, replaced as above, and moves `*text` past it. The text must not be at its end.
 * `*bytes` is the length of the returned character. */
const char *xb_next_safe(const char **text, size_t *bytes);

/* Writes the whole text to a file, replaced as above. Returns false on a write error. */
bool xb_print_safe(FILE *file, const char *text);

#endif
