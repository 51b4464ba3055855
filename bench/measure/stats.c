#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Linear between the two nearest order statistics. */
static double quantile(const double *sorted, size_t count, double q)
{
  const double at = q * (double)(count - 1);
  const size_t i = (size_t)at;
  return i + 1 < count ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
}

/* The largest d such that [x(d), x(count + 1 - d)], counted from 1, holds the median with 95 % or more: with B binomial
 * (count, 1/2), P(B < d) <= 2.5 %. 0 when even the extremes do not. */
static size_t interval_depth(size_t count)
{
  double log_term = -(double)count * log(2), below = 0; /* log P(B = 0) */
  size_t d = 0;
  for (size_t k = 0; k < count; k++) {
    below += exp(log_term);
    if (below > 0.025)
      break;
    d = k + 1;
    log_term += log((double)(count - k)) - log((double)(k + 1));
  }
  return d;
}

xb_stats xb_statistics(const double *samples, size_t count, double *scratch)
{
  if (!count)
    return (xb_stats){0};
  memcpy(scratch, samples, count * sizeof *samples);
  qsort(scratch, count, sizeof *scratch, ascending);
  const size_t d = interval_depth(count);
  return (xb_stats){
      .count = count,
      .median = quantile(scratch, count, 0.5),
      .ci95_low = scratch[d ? d - 1 : 0],
      .ci95_high = scratch[d ? count - d : count - 1],
      .minimum = scratch[0],
      .maximum = scratch[count - 1],
      .spread = quantile(scratch, count, 0.75) - quantile(scratch, count, 0.25),
  };
}

uint64_t xb_random(uint64_t *state)
{
  uint64_t z = *state += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

void xb_shuffle(uint64_t *state, size_t *items, size_t count)
{
  for (size_t i = count; i > 1; i--) {
    const size_t k = (size_t)(xb_random(state) % i), held = items[i - 1];
    items[i - 1] = items[k];
    items[k] = held;
  }
}
