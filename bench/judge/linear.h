/* Checks that a kernel's time grows with its repeat count: compilers remove work whose result nobody uses. */
#ifndef XB_LINEAR_H
#define XB_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

enum { XB_LINEAR_POINTS = 4 };
extern const unsigned xb_linear_repeats[XB_LINEAR_POINTS]; /* 1, 2, 4, 8 */

/* How straight, how steep, and how surely. */
typedef struct xb_linear_limits {
  double off;    /* from the line at most, as a part of its rise */
  double rise;   /* of the line at least, as a part of the first time */
  double longer; /* of 8 repetitions than 1, at least */
} xb_linear_limits;

/* Of all pairs of a value of `a` and one of `b`, `count` each, the share where the first is larger. */
double xb_share_larger(const double *a, const double *b, size_t count);
/* The straight line through the times of 1, 2, 4 and 8 repetitions (least squares): true within the limits. `longer`:
 * how often 8 took longer than 1. `slope_ns` is the time of one repetition; on failure `why` says what was seen. */
bool xb_linear(const double ns[XB_LINEAR_POINTS], double longer, xb_linear_limits limits, double *slope_ns, char *why,
               size_t why_bytes);

#endif
