/* Prints a line of a source in a column of text, on several rows if necessary. */
#ifndef XB_TEXT_COLUMN_H
#define XB_TEXT_COLUMN_H

#include "show/view_text.h"

typedef enum xb_ink {
  XB_INK_PLAIN,
  XB_INK_BOLD,
  XB_INK_KEYWORD,
  XB_INK_COMMENT,
  XB_INK_MARKER,
  XB_INK_DIFFERS,
  XB_INK_NOTE,
  XB_INK_ADDED,
  XB_INK_REMOVED,
} xb_ink;

/* Does nothing if the style has no colours. */
void xb_set_ink(FILE *out, const xb_text_style *style, xb_ink ink);

/* The rest of a line. */
typedef struct xb_rest {
  const xb_line *line; /* NULL: nothing */
  size_t at;           /* bytes already printed */
} xb_rest;

/* Prints one row of at most `width` columns, without padding. Returns its columns. */
size_t xb_print_cell(const xb_text_style *style, xb_rest *rest, size_t width, FILE *out);

/* The columns of the line in one row, with its sign. */
size_t xb_line_columns(const xb_line *line);
/* Returns how many bytes from `at` on fit in a row, up to a readable break if the line is longer; at least one
 * character. */
size_t xb_fit(const xb_line *line, size_t at, size_t columns);
/* Prints bytes [begin, end) without trailing spaces. Returns their columns. */
size_t xb_print_bytes(const xb_text_style *style, const xb_line *line, size_t begin, size_t end, FILE *out);

#endif
