#include "judge/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void xb_sort_doubles(double *values, size_t count)
{
  qsort(values, count, sizeof *values, ascending);
}

/* Interpolates linearly between the two nearest order statistics. */
static double quantile(const double *sorted, size_t count, double q)
{
  const double at = q * (double)(count - 1);
  const size_t i = (size_t)at;
  return i + 1 < count ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[count - 1];
}

/* The largest d such that [x(d), x(count + 1 - d)], counted from 1, contains the median with 95 % or more: P(B < d) <=
 * 2.5 % for B binomial (count, 1/2). 0 if even the extremes do not. */
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

static size_t far_out(const double *sorted, size_t count)
{
  const double low = quantile(sorted, count, 0.25), high = quantile(sorted, count, 0.75), fence = 3 * (high - low);
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    n += sorted[i] < low - fence || sorted[i] > high + fence;
  return n;
}

size_t xb_placement_medians(const double *samples, size_t count, uint32_t placements,
                            double medians[XB_MOST_PLACEMENTS], double *scratch)
{
  size_t n = 0;
  for (; n < placements && n < count; n++) {
    size_t k = 0;
    for (size_t i = n; i < count; i += placements)
      scratch[k++] = samples[i];
    xb_sort_doubles(scratch, k);
    medians[n] = quantile(scratch, k, 0.5);
  }
  return n;
}

double xb_student(size_t freedom)
{
  static const double few[] = {INFINITY, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646};
  if (freedom < sizeof few / sizeof few[0])
    return few[freedom];
  const double z = 1.959964, n = (double)freedom, z2 = z * z; /* Abramowitz and Stegun 26.7.5 */
  return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
              (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

xb_interval xb_prediction(const double *values, size_t count)
{
  double mean = 0, squares = 0;
  const double n = (double)count;
  for (size_t i = 0; i < count; i++)
    mean += values[i] / n;
  for (size_t i = 0; i < count; i++)
    squares += (values[i] - mean) * (values[i] - mean);
  const double half = xb_student(count - 1) * sqrt(squares / (n - 1) * (1 + 1 / n));
  return (xb_interval){mean - half, mean + half};
}

/* The mean of the placements' medians, with Student's interval. */
static void average(xb_stats *stats, const double *medians, size_t count)
{
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; i++)
    sum += medians[i] / (double)count;
  for (size_t i = 0; i < count; i++)
    squares += (medians[i] - sum) * (medians[i] - sum);
  const double half = count > 1 ? xb_student(count - 1) * sqrt(squares / (double)(count - 1) / (double)count) : 0;
  stats->median = sum;
  stats->ci95_low = sum - half;
  stats->ci95_high = sum + half;
}

/* The noise of the mean of the placements' medians, from the noise inside the placements only. A median's variance is
 * pi / 2 times that of a mean. */
static double noise_of(const double *samples, size_t count, uint32_t placements)
{
  double variance = 0;
  size_t n = 0;
  for (; n < placements && n < count; n++) {
    double sum = 0, squares = 0, k = 0;
    for (size_t i = n; i < count; i += placements, k++)
      sum += samples[i];
    for (size_t i = n; i < count; i += placements)
      squares += (samples[i] - sum / k) * (samples[i] - sum / k);
    variance += k > 1 ? squares / (k - 1) / k : 0;
  }
  return 1.96 * sqrt(1.5708 * variance) / (double)n;
}

xb_stats xb_statistics(const double *samples, size_t count, uint32_t placements, double *scratch)
{
  xb_stats stats = {.count = count};
  double medians[XB_MOST_PLACEMENTS];
  if (!count)
    return stats;
  const size_t n = placements > 1 ? xb_placement_medians(samples, count, placements, medians, scratch) : 0;
  memcpy(scratch, samples, count * sizeof *samples);
  xb_sort_doubles(scratch, count);
  const size_t d = interval_depth(count);
  stats.median = quantile(scratch, count, 0.5);
  stats.ci95_low = scratch[d ? d - 1 : 0];
  stats.ci95_high = scratch[d ? count - d : count - 1];
  stats.minimum = scratch[0];
  stats.maximum = scratch[count - 1];
  if (n) {
    average(&stats, medians, n);
    stats.noise = noise_of(samples, count, placements);
    for (size_t i = 0; i < count; i++) /* differences between placements are neither spread nor outliers */
      scratch[i] = samples[i] / medians[i % placements] * stats.median;
    xb_sort_doubles(scratch, count);
  }
  stats.spread = quantile(scratch, count, 0.75) - quantile(scratch, count, 0.25);
  stats.outliers = far_out(scratch, count);
  return stats;
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
