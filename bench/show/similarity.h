/* The similarity of lines and of words: scores for xb_align(). */
#ifndef XB_ALIKE_H
#define XB_ALIKE_H

#include "show/listing.h"

/* Two columns of lines; for xb_score_pieces(), one line each. */
typedef struct xb_facing {
  const xb_line *left, *right;
} xb_facing;

/* Functions of type xb_score_fn; `user` is an xb_facing. */
double xb_score_lines(const void *user, size_t i, size_t k);
double xb_score_pieces(const void *user, size_t i, size_t k);
/* The xb_weight_fn of xb_score_lines(). */
size_t xb_weigh_line(const void *user, int side, size_t i);
/* True if the lines are versions of the same line. */
bool xb_lines_alike(const xb_line *a, const xb_line *b);

#endif
