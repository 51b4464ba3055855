/* Statistics of samples. */
#ifndef XB_STATS_H
#define XB_STATS_H

#include <stddef.h>
#include <stdint.h>

typedef struct xb_stats {
  size_t count;
  double median;
  double ci95_low, ci95_high; /* of the median; equal to minimum and maximum while there are fewer than 6 samples */
  double minimum, maximum;
  double spread; /* interquartile range */
} xb_stats;

/* `samples` is left as it is; `scratch` has room for `count`. With count 0 all is 0.
 * The interval is distribution-free: the order statistics between which the median lies with 95 % or more (binomial,
 * David and Nagaraja, Order Statistics, section 7.1). */
xb_stats xb_statistics(const double *samples, size_t count, double *scratch);

/* splitmix64; for shuffles. */
uint64_t xb_random(uint64_t *state);
void xb_shuffle(uint64_t *state, size_t *items, size_t count);

#endif
