/* The sources that the program was built from, as text: lines, words in them, and the markers that cut them into parts.
 *
 * A marker is the first thing in a comment: `// [load] ...` in kernels and shaders, where its part reaches to the next
 * marker; the same in a block comment above a function of the host, where its part is that function. */
#ifndef XB_LISTING_H
#define XB_LISTING_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum xb_token_kind {
  XB_TOKEN_OTHER, /* names, numbers, operators */
  XB_TOKEN_KEYWORD,
  XB_TOKEN_COMMENT, /* a word of one */
  XB_TOKEN_MARKER,
} xb_token_kind;

typedef struct xb_token {
  uint32_t at, length; /* bytes in its line */
  xb_token_kind kind;
  bool differs; /* from what faces it */
} xb_token;

/* A line as it is shown. Its text is no string: it ends where its length says, without the newline. */
typedef struct xb_line {
  const char *text;
  size_t length;
  uint32_t number; /* in its file, from 1; 0: a caption, which is in no file */
  char sign;       /* of a diff: ' ', '-' or '+'; 0 elsewhere */
  xb_token *tokens;
  size_t token_count;
} xb_line;

typedef struct xb_listing {
  const char *path; /* from the project's root */
  xb_line *lines;
  size_t count;
} xb_listing;

/* The path of embedded source i; NULL behind the last. Compiled code is not counted. */
const char *xb_listing_path(size_t i);
/* Empty where there is none of that path. The lines live in the arena. False: out of host memory. */
bool xb_listing_read(const char *path, xb_arena *arena, xb_listing *source);
/* The same of any text. */
bool xb_listing_lex(const char *path, const char *text, size_t bytes, xb_arena *arena, xb_listing *source);

bool xb_line_same(const xb_line *a, const xb_line *b);
bool xb_line_blank(const xb_line *line);
bool xb_line_comment(const xb_line *line); /* nothing but */
bool xb_token_same(const xb_line *a, const xb_token *x, const xb_line *b, const xb_token *y);

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

enum { XB_MARKER_BYTES = 32, XB_MAX_PARTS = 64 };

typedef struct xb_part {
  char name[XB_MARKER_BYTES]; /* "" before the first marker */
  size_t first, count;        /* lines */
} xb_part;

/* False: the line carries no marker. */
bool xb_marker(const xb_line *line, char name[XB_MARKER_BYTES]);
/* From marker to marker; all lines are in a part. Returns how many parts. */
size_t xb_cut(const xb_listing *source, xb_part parts[XB_MAX_PARTS]);
/* All of it as one part: for twins that are not marked alike. Returns 1. */
size_t xb_cut_nowhere(const xb_listing *source, xb_part parts[XB_MAX_PARTS]);
bool xb_same_parts(const xb_part *a, size_t a_count, const xb_part *b, size_t b_count);
/* The functions that are marked, each with the comment that marks it. Returns how many. */
size_t xb_cut_functions(const xb_listing *source, xb_part parts[XB_MAX_PARTS]);

#endif
