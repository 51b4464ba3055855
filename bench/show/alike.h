/* How much two lines, and two words in them, have in common: the scores that xb_align goes by. */
#ifndef XB_ALIKE_H
#define XB_ALIKE_H

#include "show/listing.h"

/* Two columns of lines; for xb_score_tokens, one line each. */
typedef struct xb_facing {
  const xb_line *left, *right;
} xb_facing;

/* xb_score_fn, of an xb_facing. */
double xb_score_lines(const void *user, size_t i, size_t k);
double xb_score_tokens(const void *user, size_t i, size_t k);
/* The same line, but for what was changed in it. */
bool xb_lines_alike(const xb_line *a, const xb_line *b);

#endif
