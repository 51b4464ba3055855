/* Statistics of samples, and when sampling ends. */
#ifndef XB_STATS_H
#define XB_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/result.h"

typedef struct xb_stats {
  size_t count;
  double median;
  double ci95_low, ci95_high; /* of the median; of fewer than 6 samples less than 95 %, from minimum to maximum */
  double minimum, maximum;
  double noise;           /* half the 95 % interval of `median` if placements did not differ; 0 with one placement */
  double spread;          /* interquartile range, after scaling all placements to the same median */
  size_t outliers;        /* more than 3 spreads below the lower or above the upper quartile (Tukey's far out) */
  double autocorrelation; /* rank correlation of successive samples, 0 if negative; 1 if they only drift */
  double widened;         /* the interval is this much wider because of it; at least 1 */
} xb_stats;

/* `samples` is not changed; `scratch` must hold `count` values. If count is 0, all results are 0. Sample i is of
 * placement i % placements.
 *
 * One placement: `median` is the median of the samples. The interval is that of the order statistics between which the
 * median lies with 95 %, whatever the distribution (binomial; David and Nagaraja, Order Statistics, section 7.1),
 * interpolated. Several placements: `median` is the mean of the placements' medians, with Student's interval. A median
 * of all samples would jump if placements form two groups of times. In both cases the interval is widened if successive
 * samples are alike, because they tell less than as many independent ones. */
xb_stats xb_statistics(const double *samples, size_t count, uint32_t placements, double *scratch);

/* Computes the median of each placement's samples; returns their number. */
size_t xb_placement_medians(const double *samples, size_t count, uint32_t placements,
                            double medians[XB_MOST_PLACEMENTS], double *scratch);
/* How many placements are slow and rare: at most a quarter of at least 6, slower than all others by more than three
 * times the range of the others' medians, and by more than 2 %. `slower` gets their median over that of the others. 0:
 * none. */
size_t xb_slow_placements(const double *samples, size_t count, uint32_t placements, double *slower, double *scratch);
/* Sorts in ascending order. */
void xb_sort_doubles(double *values, size_t count);
/* The next number of splitmix64, for resampling and shuffles. */
uint64_t xb_random(uint64_t *state);
void xb_shuffle(uint64_t *state, size_t *items, size_t count);

/* ---- When sampling ends ----------------------------------------------------------------------------------------- */

/* More of a short run make files large, and hardly narrow an interval. */
enum { XB_MOST_SAMPLES = 10000 };

typedef struct xb_stopping {
  double min_ns; /* so long the interval is not asked */
  double max_ns; /* after this time, sampling ends */
  double width;  /* an interval of this width, relative to the median, is narrow enough */
  bool rarely;   /* of many samples, only every eighth part more asks again: statistics sort them all */
} xb_stopping;

typedef struct xb_sampled {
  const double *samples;
  size_t count;
  uint32_t placements;
  double sampled_ns; /* held against min_ns, */
  double spent_ns;   /* and against max_ns */
} xb_sampled;

/* Why sampling ends: as xb_settled_by says, "time limit", or "most samples". NULL: it goes on. */
const char *xb_stopped_by(const xb_stopping *rule, const xb_sampled *sampled);

/* Says why more samples would not help: "interval", it is at most `width` of the median; or "placements", each of which
 * is known well, so that only others would make it narrower. NULL: they would help. An interval that ends the sampling
 * as soon as it happens to be narrow holds the median too rarely, so only the first two thirds of the samples decide,
 * and of fewer than 24 samples none do. `scratch` must hold `count`
 * values. */
const char *xb_settled_by(const double *samples, size_t count, uint32_t placements, double width, double *scratch);

/* ---- 95 % intervals: of medians, of means, of resampled values, and of one more value ---------------------------- */

enum { XB_RESAMPLES = 4000 };

/* Of the median of sorted samples, whatever the distribution. Below 6 samples the ends are the extremes, which is less
 * than 95 %. */
xb_interval xb_median_interval(const double *sorted, size_t count);
/* Student's interval of the mean of `values`. */
xb_interval xb_mean_interval(const double *values, size_t count, double *mean);
/* The middle 95 % of the resampled values (percentile interval). Sorts the values. */
xb_interval xb_interval95(double values[XB_RESAMPLES]);
/* The 95 % prediction interval for one more value, from at least 2 values that are normally distributed: the mean +- t
 * s sqrt(1 + 1 / n), with Student's t of n - 1 (Hahn and Meeker, Statistical Intervals, section 4.7). */
xb_interval xb_prediction(const double *values, size_t count);
/* Student's interval of the mean of `a` less the mean of `b`, of at least 3 values in all that have one deviation. If
 * `b` is one value, it says as much as xb_prediction(). */
xb_interval xb_difference_interval(const double *a, size_t a_count, const double *b, size_t b_count);
/* Both ends further out by this part of themselves. */
xb_interval xb_widened(xb_interval interval, double part);

/* The 97.5 % quantile of Student's t distribution. */
double xb_student(size_t freedom);
/* The probability that Student's t is beyond t or -t. */
double xb_student_chance(double t, size_t freedom);

/* ---- A straight line -----------------------------------------------------------------------------------------------
 */

/* Checks that a kernel's time grows with its repeat count: compilers remove work whose result nobody uses. */

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
