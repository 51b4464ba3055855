/* Whether a kernel does as often what it was told to repeat: compilers remove what they can prove idle. */
#ifndef XB_LINEAR_H
#define XB_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

enum { XB_LINEAR_POINTS = 4 };
extern const unsigned xb_linear_repeats[XB_LINEAR_POINTS]; /* 1, 2, 4, 8 */

/* How straight, and how steep. */
typedef struct xb_linear_limits {
  double off;  /* from the line at most, as a part of its rise */
  double rise; /* of the line at least, as a part of the first time */
} xb_linear_limits;

/* The straight line through the times of 1, 2, 4 and 8 repetitions (least squares): true within the limits. `slope_ns`
 * is the time of one repetition; on failure `why` says what was seen. */
bool xb_linear(const double ns[XB_LINEAR_POINTS], xb_linear_limits limits, double *slope_ns, char *why,
               size_t why_bytes);

#endif
