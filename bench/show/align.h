/* Which of two sequences belong together, in order: the alignment with the largest sum of scores. */
#ifndef XB_ALIGN_H
#define XB_ALIGN_H

#include "arena.h"

typedef struct xb_match {
  ptrdiff_t left, right; /* -1: nothing on that side */
} xb_match;

/* How well `left` and `right` go together; 0 or less: not at all. */
typedef double xb_score_fn(const void *user, size_t left, size_t right);

/* *count matches, which cover both sequences; they live in the arena. NULL: out of host memory. */
const xb_match *xb_align(xb_arena *arena, size_t left, size_t right, xb_score_fn *score, const void *user,
                         size_t *count);

#endif
