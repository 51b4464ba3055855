/* A line of a source in a column of text, over as many rows as it takes. */
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

/* Nothing where there are no colours. */
void xb_set_ink(FILE *out, const xb_text_style *style, xb_ink ink);

/* What is left of a line. */
typedef struct xb_rest {
  const xb_line *line; /* NULL: nothing */
  size_t at;           /* bytes that were printed */
} xb_rest;

/* Prints one row, at most `width` columns wide, without padding; returns how many columns it took. */
size_t xb_print_cell(const xb_text_style *style, xb_rest *rest, size_t width, FILE *out);

/* Columns that the line takes in one row, with its sign. */
size_t xb_line_columns(const xb_line *line);
/* Bytes from `at` on to print in a row of `columns`; where the line has to be broken, at a place that reads well. One
 * character at least. */
size_t xb_fit(const xb_line *line, size_t at, size_t columns);
/* Without the blanks at their end. Returns their columns. */
size_t xb_print_bytes(const xb_text_style *style, const xb_line *line, size_t begin, size_t end, FILE *out);

#endif
