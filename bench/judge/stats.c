#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/stats.h"

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

size_t xb_slow_placements(const double *samples, size_t count, uint32_t placements, double *slower, double *scratch)
{
  enum { FEWEST = 6, RARE = 4 };                 /* fewer do not show what is usual; at most every fourth is rare */
  static const double APART = 3, MATTERS = 0.02; /* with 6 to 8 equal placements, chance does this to one cell in 100 */
  double medians[XB_MOST_PLACEMENTS];
  const size_t n = xb_placement_medians(samples, count, placements, medians, scratch);
  xb_sort_doubles(medians, n);
  for (size_t slow = 1; n >= FEWEST && slow <= n / RARE; slow++) {
    const double *first = medians + n - slow, gap = first[0] - first[-1];
    if (gap > APART * (first[-1] - medians[0]) && gap > MATTERS * first[-1]) {
      *slower = quantile(first, slow, 0.5) / quantile(medians, n - slow, 0.5);
      return slow;
    }
  }
  return 0;
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

/* The rank correlation of each sample with the one before it. */
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
  return squares > 0 ? products / squares : 0;
}

/* The factor by which the noise of the mean of such samples is larger: that of an autoregressive process of order 1.
 * Few samples show less correlation than there is, because they are held against their own mean; 16 / n makes up for
 * it. Below 16 samples even a correlation of 0.7 often shows as none or as a negative one, so that only a strongly
 * negative one leaves the interval as it is. The line is a fit to simulations (test_intervals): about the narrowest
 * intervals of independent samples with which 90 % hold the median at 0.7. */
static double widening(double correlation, size_t count)
{
  const double n = (double)count, r = fmin(fmax(correlation, 0) * (1 + 16 / n), 0.9), factor = sqrt((1 + r) / (1 - r));
  return count > 5 && count < 16 ? fmax(factor, (10 - n * (0.46 - correlation)) / 3) : factor;
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
  xb_interval interval = xb_median_interval(scratch, count);
  if (n) {
    interval = xb_mean_interval(medians, n, &stats.median);
    stats.noise = noise_of(samples, count, placements);
    for (size_t i = 0; i < count; i++)
      scratch[i] = scaled(samples, i, medians, placements, stats.median);
    xb_sort_doubles(scratch, count);
  }
  stats.spread = quantile(scratch, count, 0.75) - quantile(scratch, count, 0.25);
  stats.outliers = far_out(scratch, count);
  const double correlation = autocorrelation(scratch, samples, count, medians, placements, stats.median);
  const double factor = widening(correlation, count), half = stats.median - interval.low;
  stats.autocorrelation = fmax(correlation, 0);
  stats.widened = !n         ? factor
                  : half > 0 ? sqrt(1 + stats.noise * stats.noise / half / half * (factor * factor - 1))
                             : 1;
  stats.noise *= factor;
  /* One that is not widened keeps its ends to the last bit: those of few samples are the least and the greatest. */
  stats.ci95_low = interval.low - (stats.widened - 1) * (stats.median - interval.low);
  stats.ci95_high = interval.high + (stats.widened - 1) * (interval.high - stats.median);
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

/* ---- When sampling ends ----------------------------------------------------------------------------------------- */

enum { FEWEST = 24 };

const char *xb_settled_by(const double *samples, size_t count, uint32_t placements, double width, double *scratch)
{
  if (count < FEWEST)
    return NULL;
  const xb_stats first = xb_statistics(samples, count * 2 / 3, placements, scratch);
  if (first.ci95_high - first.ci95_low <= width * first.median)
    return "interval";
  return placements > 1 && first.noise <= width * first.median / 4 ? "placements" : NULL;
}

static const char *settled(const xb_stopping *rule, const xb_sampled *s)
{
  const size_t step = s->count / 8;
  if (rule->rarely && step && s->count % step)
    return NULL;
  double *scratch = malloc((s->count + 1) * sizeof *scratch);
  const char *why = scratch ? xb_settled_by(s->samples, s->count, s->placements, rule->width, scratch) : NULL;
  free(scratch);
  return why;
}

const char *xb_stopped_by(const xb_stopping *rule, const xb_sampled *s)
{
  const char *why = s->sampled_ns >= rule->min_ns ? settled(rule, s) : NULL;
  return why ? why : s->spent_ns >= rule->max_ns ? "time limit" : s->count >= XB_MOST_SAMPLES ? "most samples" : NULL;
}

/* [x(d), x(count + 1 - d)], counted from 1, contains it with 1 - 2 P(B < d) for B binomial (count, 1/2). Few of these
 * have about 95 %: of 8 samples 99.2 % and 93.0 %. So the ends lie between x(d), which has 95 % or more, and x(d + 1),
 * by the interpolation of Hettmansperger and Sheather (Confidence intervals based on interpolated order statistics,
 * 1986). Below 6 samples, where all is less than 95 %, the ends are the extremes. */
xb_interval xb_median_interval(const double *sorted, size_t count)
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

/* The sum of squared deviations from the mean. */
static double deviations(const double *values, size_t count, double *mean)
{
  double squares = 0;
  *mean = 0;
  for (size_t i = 0; i < count; i++)
    *mean += values[i] / (double)count;
  for (size_t i = 0; i < count; i++)
    squares += (values[i] - *mean) * (values[i] - *mean);
  return squares;
}

xb_interval xb_prediction(const double *values, size_t count)
{
  const double n = (double)count;
  double mean;
  const double half = xb_student(count - 1) * sqrt(deviations(values, count, &mean) / (n - 1) * (1 + 1 / n));
  return (xb_interval){mean - half, mean + half};
}

xb_interval xb_difference_interval(const double *a, size_t a_count, const double *b, size_t b_count)
{
  const double n = (double)a_count, m = (double)b_count;
  double of_a, of_b;
  const double squares = deviations(a, a_count, &of_a) + deviations(b, b_count, &of_b);
  const double half = xb_student(a_count + b_count - 2) * sqrt(squares / (n + m - 2) * (1 / n + 1 / m));
  return (xb_interval){of_a - of_b - half, of_a - of_b + half};
}

xb_interval xb_mean_interval(const double *values, size_t count, double *mean)
{
  const double n = (double)count, squares = deviations(values, count, mean);
  const double half = count > 1 ? xb_student(count - 1) * sqrt(squares / (n - 1) / n) : 0;
  return (xb_interval){*mean - half, *mean + half};
}

xb_interval xb_interval95(double values[XB_RESAMPLES])
{
  xb_sort_doubles(values, XB_RESAMPLES);
  const size_t cut = XB_RESAMPLES / 40;
  return (xb_interval){values[cut], values[XB_RESAMPLES - 1 - cut]};
}

xb_interval xb_widened(xb_interval interval, double part)
{
  return (xb_interval){interval.low * (1 - part), interval.high * (1 + part)};
}

const unsigned xb_linear_repeats[XB_LINEAR_POINTS] = {1, 2, 4, 8};

double xb_share_larger(const double *a, const double *b, size_t count)
{
  size_t larger = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count; k++)
      larger += a[i] > b[k];
  return (double)larger / ((double)count * (double)count);
}

bool xb_linear(const double ns[XB_LINEAR_POINTS], double longer, xb_linear_limits limits, double *slope_ns, char *why,
               size_t why_bytes)
{
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < XB_LINEAR_POINTS; i++) {
    const double r = xb_linear_repeats[i];
    x += r / XB_LINEAR_POINTS;
    y += ns[i] / XB_LINEAR_POINTS;
    xx += r * r / XB_LINEAR_POINTS;
    xy += r * ns[i] / XB_LINEAR_POINTS;
  }
  *slope_ns = (xy - x * y) / (xx - x * x);
  const double rise = *slope_ns * (xb_linear_repeats[XB_LINEAR_POINTS - 1] - xb_linear_repeats[0]);
  double off = 0;
  for (int i = 0; i < XB_LINEAR_POINTS; i++)
    off = fmax(off, fabs(ns[i] - (y + *slope_ns * (xb_linear_repeats[i] - x))));
  if (rise >= limits.rise * ns[0] && off <= limits.off * rise && longer >= limits.longer)
    return true;
  snprintf(
      why, why_bytes,
      "1, 2, 4 and 8 repetitions inside the kernel take %.4g, %.4g, %.4g and %.4g us, which is not a linear rise: the "
      "work is not repeated, or is too short to measure (use a larger --size)",
      ns[0] / 1e3, ns[1] / 1e3, ns[2] / 1e3, ns[3] / 1e3);
  return false;
}
