#include "show/align.h"

#include <stdlib.h>

/* Dynamic programming: best[i * (right + 1) + k] is the largest sum for the elements from left i and right k on, so the
 * matches are found in forward order. `scores` is a cache, because scores are expensive to compute. */
const xb_match *xb_align(xb_arena *arena, size_t left, size_t right, xb_score_fn *score, const void *user,
                         size_t *count)
{
  const size_t width = right + 1;
  double *best = calloc((left + 1) * width, sizeof *best), *scores = calloc((left + 1) * width, sizeof *scores);
  xb_match *matches = best && scores ? xb_arena_take(arena, left + right, sizeof *matches) : NULL;
  *count = 0;
  for (size_t i = left; matches && i-- > 0;)
    for (size_t k = right; k-- > 0;) {
      const double down = best[(i + 1) * width + k], across = best[i * width + k + 1];
      const double s = scores[i * width + k] = score(user, i, k), both = s + best[(i + 1) * width + k + 1];
      const double skip = down > across ? down : across;
      best[i * width + k] = s > 0 && both >= skip ? both : skip;
    }
  for (size_t i = 0, k = 0; matches && (i < left || k < right);) {
    const double here = best[i * width + k];
    if (i < left && k < right && scores[i * width + k] > 0 &&
        here <= scores[i * width + k] + best[(i + 1) * width + k + 1])
      matches[(*count)++] = (xb_match){(ptrdiff_t)i++, (ptrdiff_t)k++};
    else if (i < left && (k == right || best[(i + 1) * width + k] >= best[i * width + k + 1]))
      matches[(*count)++] = (xb_match){(ptrdiff_t)i++, -1};
    else
      matches[(*count)++] = (xb_match){-1, (ptrdiff_t)k++};
  }
  free(best);
  free(scores);
  return matches;
}
