/* Statistics of samples. */
#ifndef XB_STATS_H
#define XB_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "result/result.h"

typedef struct xb_stats {
  size_t count;
  double median;
  double ci95_low, ci95_high; /* of the median; equal to minimum and maximum with fewer than 6 samples */
  double minimum, maximum;
  double noise;    /* half the 95 % interval of `median` if placements did not differ; 0 with one placement */
  double spread;   /* interquartile range, after scaling all placements to the same median */
  size_t outliers; /* more than 3 spreads below the lower or above the upper quartile (Tukey's far out) */
} xb_stats;

/* `samples` is not changed; `scratch` must hold `count` values. If count is 0, all results are 0. Sample i is of
 * placement i % placements.
 *
 * One placement: `median` is the median of the samples. The interval is distribution-free: the order statistics between
 * which the median lies with 95 % or more (binomial; David and Nagaraja, Order Statistics, section 7.1).
 * Several placements: `median` is the mean of the placements' medians, with Student's interval. A median of all samples
 * would jump if placements form two groups of times. */
xb_stats xb_statistics(const double *samples, size_t count, uint32_t placements, double *scratch);

/* Computes the median of each placement's samples; returns their number. */
size_t xb_placement_medians(const double *samples, size_t count, uint32_t placements,
                            double medians[XB_MOST_PLACEMENTS], double *scratch);
/* The 97.5 % quantile of Student's t distribution. */
double xb_student(size_t freedom);

/* The 95 % prediction interval for one more value, from at least 2 values that are normally distributed: the mean +- t
 * s sqrt(1 + 1 / n), with Student's t of n - 1 (Hahn and Meeker, Statistical Intervals, section 4.7). */
xb_interval xb_prediction(const double *values, size_t count);

/* Sorts in ascending order. */
void xb_sort_doubles(double *values, size_t count);
/* The next number of splitmix64, for resampling and shuffles. */
uint64_t xb_random(uint64_t *state);
void xb_shuffle(uint64_t *state, size_t *items, size_t count);

#endif
