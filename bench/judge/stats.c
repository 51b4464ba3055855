#include "judge/stats.h"

#include <math.h>
#include <stdbool.h>
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

/* The 95 % interval of the median: [x(d), x(count + 1 - d)], counted from 1, contains it with 1 - 2 P(B < d) for B
 * binomial (count, 1/2), whatever the distribution. Few of these have about 95 %: of 8 samples 99.2 % and 93.0 %. So
 * the ends lie between x(d), which has 95 % or more, and x(d + 1), by the interpolation of Hettmansperger and Sheather
 * (Confidence intervals based on interpolated order statistics, 1986). Below 6 samples, where all is less than 95 %,
 * the ends are the extremes. */
static xb_interval median_interval(const double *sorted, size_t count)
{
  double log_term = -(double)count * log(2), below = 0, next = 0; /* of k = 0; P(B < d), P(B < d + 1) */
  size_t d = 0;
  for (size_t k = 0; k < (count + 1) / 2; k++) {
    next = below + exp(log_term);
    if (next > 0.025)
      break;
    below = next;
    d = k + 1;
    log_term += log((double)(count - k)) - log((double)(k + 1));
  }
  if (!d)
    return (xb_interval){sorted[0], sorted[count - 1]};
  const double part = (0.025 - below) / (next - below), n = (double)count, depth = (double)d;
  const double inwards = (n - depth) * part / (depth + (n - 2 * depth) * part);
  return (xb_interval){sorted[d - 1] + inwards * (sorted[d] - sorted[d - 1]),
                       sorted[count - d] - inwards * (sorted[count - d] - sorted[count - d - 1])};
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

double xb_student_chance(double t, size_t freedom)
{
  const double angle = atan(t / sqrt((double)freedom)), c = cos(angle); /* Abramowitz and Stegun 26.7.3 and 26.7.4 */
  const bool odd = freedom % 2;
  double term = odd ? c : 1, sum = freedom > 1 ? term : 0;
  for (size_t k = odd ? 3 : 2; k + 1 < freedom; k += 2) {
    term *= c * c * (double)(k - 1) / (double)k;
    sum += term;
  }
  return 1 - (odd ? 2 / acos(-1) * (angle + sin(angle) * sum) : sin(angle) * sum);
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

/* Student's interval of the mean of the placements' medians. */
static xb_interval mean_interval(const double *medians, size_t count, double *mean)
{
  double squares = 0;
  *mean = 0;
  for (size_t i = 0; i < count; i++)
    *mean += medians[i] / (double)count;
  for (size_t i = 0; i < count; i++)
    squares += (medians[i] - *mean) * (medians[i] - *mean);
  const double half = count > 1 ? xb_student(count - 1) * sqrt(squares / (double)(count - 1) / (double)count) : 0;
  return (xb_interval){*mean - half, *mean + half};
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

/* ---- Samples that depend on each other -------------------------------------------------------------------------- */

/* Sample i, in units of the median of its placement if there are several: differences between placements are no drift.
 */
static double scaled(const double *samples, size_t i, const double *medians, uint32_t placements, double median)
{
  return medians ? samples[i] / medians[i % placements] * median : samples[i];
}

/* Of equal values the mean of their ranks. */
static double rank_of(const double *sorted, size_t count, double value)
{
  size_t ends[2]; /* the number of values below it, and of values up to it */
  for (int upper = 0; upper < 2; upper++) {
    size_t low = 0, high = count;
    while (low < high) {
      const size_t mid = low + (high - low) / 2;
      const bool before = upper ? sorted[mid] <= value : sorted[mid] < value;
      *(before ? &low : &high) = before ? mid + 1 : mid;
    }
    ends[upper] = low;
  }
  return (double)(ends[0] + ends[1]) / 2;
}

/* The rank correlation of each sample with the one before it; 0 if it is negative. */
static double autocorrelation(const double *sorted, const double *samples, size_t count, const double *medians,
                              uint32_t placements, double median)
{
  const double middle = (double)count / 2;
  double last = 0, products = 0, squares = 0;
  for (size_t i = 0; i < count; i++) {
    const double rank = rank_of(sorted, count, scaled(samples, i, medians, placements, median)) - middle;
    products += rank * last;
    squares += rank * rank;
    last = rank;
  }
  return squares > 0 ? fmax(products / squares, 0) : 0;
}

/* The factor by which the noise of the mean of such samples is larger: that of an autoregressive process of order 1.
 * Few samples show less correlation than there is, because they are held against their own mean; 16 / n makes up for
 * it, by simulation (test_intervals). */
static double widening(double correlation, size_t count)
{
  const double r = fmin(correlation * (1 + 16 / (double)count), 0.9);
  return sqrt((1 + r) / (1 - r));
}

xb_stats xb_statistics(const double *samples, size_t count, uint32_t placements, double *scratch)
{
  xb_stats stats = {.count = count, .widened = 1};
  double of_placements[XB_MOST_PLACEMENTS];
  if (!count)
    return stats;
  const size_t n = placements > 1 ? xb_placement_medians(samples, count, placements, of_placements, scratch) : 0;
  const double *medians = n ? of_placements : NULL;
  memcpy(scratch, samples, count * sizeof *samples);
  xb_sort_doubles(scratch, count);
  stats.median = quantile(scratch, count, 0.5);
  stats.minimum = scratch[0];
  stats.maximum = scratch[count - 1];
  xb_interval interval = median_interval(scratch, count);
  if (n) {
    interval = mean_interval(medians, n, &stats.median);
    stats.noise = noise_of(samples, count, placements);
    for (size_t i = 0; i < count; i++)
      scratch[i] = scaled(samples, i, medians, placements, stats.median);
    xb_sort_doubles(scratch, count);
  }
  stats.spread = quantile(scratch, count, 0.75) - quantile(scratch, count, 0.25);
  stats.outliers = far_out(scratch, count);
  stats.autocorrelation = autocorrelation(scratch, samples, count, medians, placements, stats.median);
  const double factor = widening(stats.autocorrelation, count), half = stats.median - interval.low;
  stats.widened = !n         ? factor
                  : half > 0 ? sqrt(1 + stats.noise * stats.noise / half / half * (factor * factor - 1))
                             : 1;
  stats.noise *= factor;
  stats.ci95_low = stats.median - stats.widened * (stats.median - interval.low);
  stats.ci95_high = stats.median + stats.widened * (interval.high - stats.median);
  return stats;
}

const char *xb_settled_by(const double *samples, size_t count, uint32_t placements, double width, double *scratch)
{
  enum { FEWEST = 24 };
  if (count < FEWEST)
    return NULL;
  const xb_stats first = xb_statistics(samples, count * 2 / 3, placements, scratch);
  if (first.ci95_high - first.ci95_low <= width * first.median)
    return "interval";
  return placements > 1 && first.noise <= width * first.median / 4 ? "placements" : NULL;
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
