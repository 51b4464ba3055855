/* 95 % intervals: of medians, of means, of resampled values, and of one more value. */
#ifndef XB_INTERVAL_H
#define XB_INTERVAL_H

#include <stddef.h>

#include "result/result.h"

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

#endif
