/* Checks that a kernel's time grows with its repeat count: compilers remove work whose result nobody uses. */
#ifndef XB_LINEAR_H
#define XB_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

enum { XB_LINEAR_POINTS = 4 };
extern const unsigned xb_linear_repeats[XB_LINEAR_POINTS]; /* 1, 2, 4, 8 */

/* The limits of a linear rise. */
typedef struct xb_linear_limits {
  double off;    /* largest distance from the line, relative to its rise */
  double rise;   /* smallest rise of the line, relative to the first time */
  double longer; /* smallest share of pairs where 8 repetitions take longer than 1 */
} xb_linear_limits;

/* The share of pairs (a[i], b[k]) with a[i] > b[k]; both have `count` values. */
double xb_share_larger(const double *a, const double *b, size_t count);
/* Fits a straight line through the times of 1, 2, 4 and 8 repetitions (least squares). Returns true if it is within the
 * limits. `longer` is the share of pairs where 8 took longer than 1. `slope_ns` is the time of one repetition. On
 * failure `why` says what was measured. */
bool xb_linear(const double ns[XB_LINEAR_POINTS], double longer, xb_linear_limits limits, double *slope_ns, char *why,
               size_t why_bytes);

#endif
