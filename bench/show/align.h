/* Aligns two sequences, in order, so that the sum of scores is largest. */
#ifndef XB_ALIGN_H
#define XB_ALIGN_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct xb_match {
  ptrdiff_t left, right; /* indices; -1: no element on that side */
} xb_match;

/* How well the elements `left` and `right` match; 0 or less: they must not be matched. */
typedef double xb_score_fn(const void *user, size_t left, size_t right);

/* How much work the element `i` of a side makes when it is matched. */
typedef size_t xb_weight_fn(const void *user, int side, size_t i);

/* `weight` is NULL for elements that are alike. Returns *count matches, which cover both sequences. They are valid as
 * long as the arena. NULL: out of host memory. */
const xb_match *xb_align(xb_arena *arena, size_t left, size_t right, xb_score_fn *score, xb_weight_fn *weight,
                         const void *user, size_t *count);

#endif
