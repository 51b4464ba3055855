#include "judge/stats.h"

#include <math.h>
#include <stdbool.h>

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
