/* Which of two sequences belong together, in order: the alignment with the largest sum of scores. */
#ifndef XB_ALIGN_H
#define XB_ALIGN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xb_match {
  ptrdiff_t left, right; /* -1: nothing on that side */
} xb_match;

/* How well `left` and `right` go together; 0 or less: not at all. */
typedef double xb_score_fn(const void *user, size_t left, size_t right);

/* Writes at most left + right matches, which cover both sequences. False: out of host memory. */
bool xb_align(size_t left, size_t right, xb_score_fn *score, const void *user, xb_match *matches, size_t *count);

#endif
