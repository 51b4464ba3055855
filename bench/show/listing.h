/* The embedded sources of the program: their lines, the words in the lines, and the parts between markers.
 *
 * A marker is at the start of a comment. In kernels and shaders it is `// [load] ...`, and its part ends at the next
 * marker. In host code it is in the block comment above a function, and its part is the function. */
#ifndef XB_LISTING_H
#define XB_LISTING_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Lines are compared and coloured in pieces: words, strings, single marks, and the words of comments. */
typedef enum xb_piece_kind {
  XB_PIECE_OTHER, /* names, numbers, operators */
  XB_PIECE_KEYWORD,
  XB_PIECE_COMMENT, /* a word in a comment */
  XB_PIECE_MARKER,
} xb_piece_kind;

typedef struct xb_piece {
  uint32_t at, length; /* bytes in its line */
  xb_piece_kind kind;
  bool differs; /* from the corresponding line */
} xb_piece;

/* A line as shown. `text` is not a C string: it has `length` bytes, without the newline. */
typedef struct xb_line {
  const char *text;
  size_t length;
  uint32_t number; /* in its file, from 1; 0: a caption, which is not in a file */
  char sign;       /* in a diff: ' ', '-' or '+'; else 0 */
  xb_piece *pieces;
  size_t piece_count;
} xb_line;

typedef struct xb_listing {
  const char *path; /* from the project's root */
  xb_line *lines;
  size_t count;
} xb_listing;

/* Sources are embedded beside compiled code. */
bool xb_is_source(const char *path);
/* Reads an embedded source, or else a file of the user; empty if it cannot be read. Its lines are valid as long as the
 * arena. False: out of host memory. */
bool xb_listing_read(const char *path, xb_arena *arena, xb_listing *source);
/* The same for any text, which ends with a zero. */
bool xb_listing_lex(const char *path, const char *text, size_t bytes, xb_arena *arena, xb_listing *source);

/* The embedded source that the line includes with #include "..."; NULL: none. */
const char *xb_listing_included(const xb_line *line);

bool xb_line_same(const xb_line *a, const xb_line *b);
bool xb_line_blank(const xb_line *line);
bool xb_line_comment(const xb_line *line); /* only a comment */
bool xb_piece_same(const xb_line *a, const xb_piece *x, const xb_line *b, const xb_piece *y);

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

enum { XB_MARKER_BYTES = 32, XB_MAX_PARTS = 64 };

typedef struct xb_part {
  char name[XB_MARKER_BYTES]; /* "" before the first marker */
  size_t first, count;        /* lines */
} xb_part;

/* Cuts at the markers; every line is in a part. Returns the number of parts. */
size_t xb_cut(const xb_listing *source, xb_part parts[XB_MAX_PARTS]);
/* Makes one part of all lines, for pairs with different markers. Returns 1. */
size_t xb_cut_nowhere(const xb_listing *source, xb_part parts[XB_MAX_PARTS]);
bool xb_same_parts(const xb_part *a, size_t a_count, const xb_part *b, size_t b_count);
/* Finds the functions with a marker, each with its comment. Returns their number. */
size_t xb_cut_functions(const xb_listing *source, xb_part parts[XB_MAX_PARTS]);

#endif
