#include "show/align.h"

#include <stdlib.h>

/* A part of both sequences: [left, left_end) and [right, right_end). */
typedef struct part {
  size_t left, left_end, right, right_end;
} part;

/* Dynamic programming: best[i * (right + 1) + k] is the largest sum for the elements from left i and right k on, so the
 * matches are found in forward order. `scores` is a cache, because scores are expensive to compute. */
static bool align_part(const part *p, xb_score_fn *score, const void *user, xb_match *matches, size_t *count)
{
  const size_t left = p->left_end - p->left, right = p->right_end - p->right, width = right + 1;
  double *best = calloc((left + 1) * width, sizeof *best), *scores = calloc((left + 1) * width, sizeof *scores);
  const bool good = best && scores;
  for (size_t i = left; good && i-- > 0;)
    for (size_t k = right; k-- > 0;) {
      const double down = best[(i + 1) * width + k], across = best[i * width + k + 1];
      const double s = scores[i * width + k] = score(user, p->left + i, p->right + k);
      const double both = s + best[(i + 1) * width + k + 1], skip = down > across ? down : across;
      best[i * width + k] = s > 0 && both >= skip ? both : skip;
    }
  for (size_t i = 0, k = 0; good && (i < left || k < right);) {
    const double here = best[i * width + k];
    const ptrdiff_t l = (ptrdiff_t)(p->left + i), r = (ptrdiff_t)(p->right + k);
    const bool both = i < left && k < right && scores[i * width + k] > 0 &&
                      here <= scores[i * width + k] + best[(i + 1) * width + k + 1];
    const bool down = !both && i < left && (k == right || best[(i + 1) * width + k] >= best[i * width + k + 1]);
    matches[(*count)++] = (xb_match){both || down ? l : -1, down ? -1 : r};
    i += both || down;
    k += !down;
  }
  free(best);
  free(scores);
  return good;
}

static size_t weight_of(xb_weight_fn *weight, const void *user, int side, size_t i)
{
  enum { ALONE = 16 };
  return weight ? weight(user, side, i) : ALONE;
}

/* The part of a side from `at` on that weighs this much. */
static size_t part_end(xb_weight_fn *weight, const void *user, int side, size_t at, size_t end, size_t most)
{
  for (size_t sum = 0; at < end && sum < most; at++)
    sum += weight_of(weight, user, side, at);
  return at;
}

/* The work grows with the product of both sides, so long sequences are aligned in parts. */
const xb_match *xb_align(xb_arena *arena, size_t left, size_t right, xb_score_fn *score, xb_weight_fn *weight,
                         const void *user, size_t *count)
{
  enum { MOST = 16384 };
  xb_match *matches = xb_arena_take(arena, left + right, sizeof *matches);
  size_t all[2] = {0}, parts;
  *count = 0;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < (side ? right : left); i++)
      all[side] += weight_of(weight, user, side, i);
  parts = 1 + (all[0] > all[1] ? all[0] : all[1]) / MOST;
  part p = {0};
  for (bool good = matches, any = true; good && any; p.left = p.left_end, p.right = p.right_end) {
    p.left_end = part_end(weight, user, 0, p.left, left, all[0] / parts + 1);
    p.right_end = part_end(weight, user, 1, p.right, right, all[1] / parts + 1);
    any = p.left_end > p.left || p.right_end > p.right;
    good = align_part(&p, score, user, matches, count);
    matches = good ? matches : NULL;
  }
  return matches;
}
