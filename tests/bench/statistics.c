/* Compares the statistics with GSL and with simulations. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "judge/judge.h"
#include "judge/stats.h"
#include "noise.h"
#include "test.h"

enum { MOST = 300 };

static void assert_close(double got, double expected)
{
  if (fabs(got - expected) > 1e-12 * fmax(1, fabs(expected)))
    fail_msg("got %.17g, expected %.17g", got, expected);
}

/* One more value lies in the prediction interval as often as it says. */
TEST(test_prediction)
{
  uint64_t random = 3;
  const double three[] = {1, 2, 6}; /* mean 3, variance 7 */
  const double half = gsl_cdf_tdist_Pinv(0.975, 2) * sqrt(7.0 * 4 / 3);
  assert_true(fabs(xb_prediction(three, 3).low - (3 - half)) < 1e-3 &&
              fabs(xb_prediction(three, 3).high - (3 + half)) < 1e-3);
  for (size_t n = 4; n <= 8; n += 2) {
    enum { TRIALS = 20000 };
    int inside = 0;
    for (int t = 0; t < TRIALS; t++) {
      double values[8];
      for (size_t i = 0; i < n; i++)
        values[i] = normal(&random);
      const xb_interval next = xb_prediction(values, n);
      const double one = normal(&random);
      inside += one >= next.low && one <= next.high;
    }
    assert_true(inside > 0.945 * TRIALS && inside < 0.955 * TRIALS);
  }
}

/* With one value on one side it is the prediction; else the two samples are pooled. */
TEST(test_difference)
{
  const double a[] = {1, 2, 6}, b[] = {4}, c[] = {2, 4};
  const xb_interval one = xb_difference_interval(a, 3, b, 1), next = xb_prediction(a, 3);
  assert_close(one.low, next.low - 4);
  assert_close(one.high, next.high - 4);
  const xb_interval two = xb_difference_interval(a, 3, c, 2);
  const double half = gsl_cdf_tdist_Pinv(0.975, 3) * sqrt((14.0 + 2) / 3 * (1.0 / 3 + 1.0 / 2));
  assert_true(fabs(two.low + half) < 1e-3 * half && fabs(two.high - half) < 1e-3 * half);
}

/* ---- One cell --------------------------------------------------------------------------------------------------- */

TEST(test_quantiles)
{
  uint64_t random = 1;
  double samples[MOST], sorted[MOST], scratch[MOST];
  for (size_t n = 1; n <= MOST; n++) {
    samples[n - 1] = exp(normal(&random));
    const xb_stats s = xb_statistics(samples, n, 1, scratch);
    memcpy(sorted, samples, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    assert_close(s.median, gsl_stats_median_from_sorted_data(sorted, 1, n));
    const double low = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.25);
    const double high = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.75);
    assert_close(s.spread, high - low);
    assert_close(s.minimum, sorted[0]);
    assert_close(s.maximum, sorted[n - 1]);
    size_t outliers = 0;
    for (size_t i = 0; i < n; i++)
      outliers += samples[i] < low - 3 * (high - low) || samples[i] > high + 3 * (high - low);
    assert_int_equal(s.outliers, outliers);
  }
}

/* Samples 1 to n, high and low in turn: the ends of the interval lie between the ranks with 95 % or more and the next.
 */
TEST(test_interval_ranks)
{
  static double samples[2000], scratch[2000];
  for (unsigned n = 6; n <= 2000; n += n < 100 ? 1 : 97) {
    for (unsigned i = 0; i < n; i++)
      samples[i] = i % 2 ? n - i / 2 : 1 + i / 2;
    const xb_stats s = xb_statistics(samples, n, 1, scratch);
    const unsigned d = (unsigned)s.ci95_low;
    assert_close(s.ci95_low + s.ci95_high, n + 1);
    assert_true(gsl_cdf_binomial_P(d - 1, 0.5, n) <= 0.025 && gsl_cdf_binomial_P(d, 0.5, n) > 0.025);
  }
  for (unsigned n = 1; n < 6; n++) {
    const xb_stats s = xb_statistics(samples, n, 1, scratch);
    assert_true(s.ci95_low == s.minimum && s.ci95_high == s.maximum);
  }
}

/* The interval of few samples reaches from the least to the greatest, to the last bit. */
TEST(test_few_samples)
{
  uint64_t random = 3;
  for (size_t n = 1; n <= 5; n++)
    for (int trial = 0; trial < 1000; trial++) {
      double samples[5], scratch[5];
      for (size_t i = 0; i < n; i++)
        samples[i] = exp(8 * uniform(&random)); /* within a factor of two, differences are exact */
      const xb_stats stats = xb_statistics(samples, n, 1, scratch);
      if (stats.widened == 1)
        assert_true(stats.ci95_low == stats.minimum && stats.ci95_high == stats.maximum);
    }
}

TEST(test_student)
{
  for (size_t n = 1; n < 200; n++)
    assert_true(fabs(xb_student(n) / gsl_cdf_tdist_Pinv(0.975, (double)n) - 1) < 1e-3);
  for (size_t n = 1; n < 60; n++)
    for (double t = 0; t < 8; t += 0.37)
      assert_close(xb_student_chance(t, n), 2 * gsl_cdf_tdist_Q(t, (double)n));
}

/* The result is the mean of the placements' medians, with its Student's t interval. */
TEST(test_placements)
{
  const double samples[] = {10, 20, 30, 40, 11, 21, 31, 41, 99, 22, 32, 42}; /* 4 placements; one odd sample */
  double scratch[12];
  const double medians[] = {11, 21, 31, 41};
  const xb_stats s = xb_statistics(samples, 12, 4, scratch);
  assert_close(s.median, 26);
  const double half = s.widened * gsl_cdf_tdist_Pinv(0.975, 3) * gsl_stats_sd(medians, 1, 4) / 2;
  assert_true(fabs(s.ci95_high - s.median - half) < 1e-3 * half && fabs(s.median - s.ci95_low - half) < 1e-3 * half);
  assert_true(s.minimum == 10 && s.maximum == 99 && s.count == 12);
  assert_true(s.noise > 0 && s.outliers == 1); /* the odd sample, not the slow placements */
  const double quiet[] = {10, 20, 30, 40, 10, 20, 30, 40, 10, 20, 30, 40};
  assert_true(xb_statistics(quiet, 12, 4, scratch).noise == 0);
  assert_true(xb_statistics(quiet, 12, 1, scratch).noise == 0);
  const xb_stats few = xb_statistics(samples, 3, 4, scratch); /* interrupted */
  assert_close(few.median, 20);
}

/* `noise` is the scatter of the mean of the placements' medians between runs with the same placements. */
TEST(test_noise)
{
  enum { TRIALS = 2000, ROUNDS = 40, PLACEMENTS = 8 };
  uint64_t random = 23;
  double means[TRIALS], noise = 0, scratch[ROUNDS];
  for (int t = 0; t < TRIALS; t++) {
    double samples[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
      samples[i] = 100 + 10 * (i % PLACEMENTS) + normal(&random);
    const xb_stats s = xb_statistics(samples, ROUNDS, PLACEMENTS, scratch);
    means[t] = s.median;
    noise += s.noise / TRIALS;
  }
  const double scatter = 1.96 * gsl_stats_sd(means, 1, TRIALS);
  assert_true(noise > 0.9 * scatter && noise < 1.2 * scatter); /* medians of five are a little better than pi / 2 */
}

/* The correlation is that of ranks, equal ones share the mean of theirs; it widens an interval by at most sqrt(19). The
 * noise of placements is from the variance inside of each, and is widened, too. */
TEST(test_correlation)
{
  const double pairs[] = {1, 1, 2, 2}; /* ranks 1, 1, 3, 3 around 2: (1 - 1 + 1) / 4 */
  double drift[96], scratch[96];
  assert_close(xb_statistics(pairs, 4, 1, scratch).autocorrelation, 0.25);
  for (int i = 0; i < 96; i++)
    drift[i] = 100 + i;
  assert_close(xb_statistics(drift, 96, 1, scratch).widened, sqrt(19));
  double quiet[16], risen[16];
  for (int i = 0; i < 16; i++) { /* 4 placements, each goes by 1, 1, 2 and 2 up and down; in `risen` all go together */
    static const double together[] = {-1, -2, 1, 2};
    const int round = i / 4;
    quiet[i] = 100 + (round < 2 ? 1 : 2) * ((i + round) % 2 ? -1 : 1);
    risen[i] = 100 + together[round];
  }
  const xb_stats s = xb_statistics(quiet, 16, 4, scratch), r = xb_statistics(risen, 16, 4, scratch);
  assert_close(s.noise, 1.96 * sqrt(1.5708 * 4 * (10.0 / 3 / 4)) / 4); /* the variance of each is 10 / 3 */
  assert_true(s.autocorrelation == 0 && r.autocorrelation > 0.3);
  assert_true(r.noise > 1.5 * s.noise); /* the same deviations */
}

TEST(test_widened)
{
  const xb_interval i = xb_widened((xb_interval){2, 4}, 0.1);
  assert_close(i.low, 1.8);
  assert_close(i.high, 4.4);
}

/* Only the first two thirds of the samples decide whether an interval is narrow. */
TEST(test_settled_by_the_first)
{
  double samples[150], scratch[150];
  for (int i = 0; i < 150; i++)
    samples[i] = 100 + (i < 100 ? i * 37 % 100 / 10.0 : 5);
  const xb_stats all = xb_statistics(samples, 150, 1, scratch), first = xb_statistics(samples, 100, 1, scratch);
  const double wide = (first.ci95_high - first.ci95_low) / first.median,
               narrow = (all.ci95_high - all.ci95_low) / all.median;
  assert_true(narrow < 0.9 * wide);
  assert_null(xb_settled_by(samples, 150, 1, (wide + narrow) / 2, scratch));
  assert_string_equal(xb_settled_by(samples, 150, 1, 1.01 * wide, scratch), "interval");
}

/* What chance explains is not called correlated: 2 / sqrt(n), if that is more than 0.3. */
TEST(test_autocorrelated)
{
  xb_result r = {.time.autocorrelation = 0.45, .time.samples_ns = {.count = 16}};
  assert_false(xb_autocorrelated(&r));
  r.time.samples_ns.count = 100;
  assert_true(xb_autocorrelated(&r));
  r.time.autocorrelation = 0.29;
  assert_false(xb_autocorrelated(&r));
}

/* Found: one or two of eight. Not found: three, placements that differ step by step, less than 2 %, one of five. */
TEST(test_slow_placements)
{
  static const struct {
    double slow[3];
    size_t places, found;
  } cases[] = {{{110}, 8, 1}, {{110, 112}, 8, 2}, {{110, 111, 112}, 8, 0}, {{101.4}, 8, 0}, {{102}, 8, 0},
               {{110}, 5, 0}, {{110}, 6, 1},      {{106, 104, 102}, 8, 0}, {{0}, 8, 0}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const size_t places = cases[c].places;
    double samples[24], scratch[24], slower = 0;
    for (size_t i = 0; i < 3 * places; i++) {
      const size_t place = i % places;
      samples[i] = (place < 3 && cases[c].slow[place] > 0 ? cases[c].slow[place] : 100 + 0.1 * (double)place) +
                   0.01 * (double)(i / places);
    }
    assert_int_equal(xb_slow_placements(samples, 3 * places, (uint32_t)places, &slower, scratch), cases[c].found);
    if (cases[c].found)
      assert_true(fabs(slower - (cases[c].found > 1 ? 111 : 110) / 100.4) < 0.004);
  }
}

/* Placements are resampled: their mean has the standard deviation that the bootstrap of a mean has. */
TEST(test_bootstrap_placements)
{
  static double means[XB_RESAMPLES], again[XB_RESAMPLES];
  double samples[24];
  uint64_t random = 5;
  for (int i = 0; i < 24; i++)
    samples[i] = 100 + i % 8 + 0.001 * uniform(&random);
  assert_true(xb_bootstrap(samples, 24, 8, 1, means));
  assert_true(fabs(gsl_stats_mean(means, 1, XB_RESAMPLES) - 103.5) < 0.1);
  /* The standard deviation of 0 to 7, divided by the root of 8, and scaled to Student's t interval. */
  const double expected = sqrt((8 * 8 - 1) / 12.0 / 8) * gsl_cdf_tdist_Pinv(0.975, 7) / 1.96 * sqrt(8 / 7.0);
  assert_true(fabs(gsl_stats_sd(means, 1, XB_RESAMPLES) / expected - 1) < 0.05);
  for (int i = 0; i < 24; i++)
    samples[i] *= 3;
  assert_true(xb_bootstrap(samples, 24, 8, 1, again));
  for (int b = 0; b < XB_RESAMPLES; b++)
    assert_close(again[b] / means[b], 3);
}

/* ---- Ratios ----------------------------------------------------------------------------------------------------- */

/* With n odd, the median of a resample is at most the k-th smallest sample when more than half of the draws are: a
 * binomial probability (Efron, The Jackknife, the Bootstrap and Other Resampling Plans, 1982, section 10.3). */
TEST(test_bootstrap_distribution)
{
  enum { N = 25 };
  static double medians[XB_RESAMPLES];
  double samples[N];
  for (int i = 0; i < N; i++)
    samples[i] = (i * 7) % N + 1; /* 1 to N, in another order */
  assert_true(xb_bootstrap(samples, N, 1, 42, medians));
  for (unsigned k = 1; k <= N; k++) {
    double below = 0;
    for (int b = 0; b < XB_RESAMPLES; b++)
      below += medians[b] <= k;
    const double exact = gsl_cdf_binomial_Q(N / 2, (double)k / N, N);
    const double sigma = sqrt(exact * (1 - exact) / XB_RESAMPLES);
    assert_true(fabs(below / XB_RESAMPLES - exact) <= 5 * sigma + 1e-9);
  }
}

TEST(test_bootstrap_even)
{
  static double medians[XB_RESAMPLES];
  const double two[] = {1, 2};
  assert_true(xb_bootstrap(two, 2, 1, 7, medians));
  int count[3] = {0};
  for (int b = 0; b < XB_RESAMPLES; b++) {
    assert_true(medians[b] == 1 || medians[b] == 1.5 || medians[b] == 2);
    count[(int)(2 * medians[b]) - 2]++;
  }
  assert_true(count[1] > count[0] && count[1] > count[2] && count[0] > XB_RESAMPLES / 5);
  assert_false(xb_bootstrap(two, 0, 1, 7, medians));
}

/* Rounds are resampled, not cells: noise of a round that is common to both cells cancels. */
TEST(test_bootstrap_pairs)
{
  static double a[XB_RESAMPLES], b[XB_RESAMPLES];
  double first[40], second[40];
  uint64_t random = 3;
  for (int i = 0; i < 40; i++) {
    first[i] = 1 + uniform(&random);
    second[i] = 2 * first[i];
  }
  assert_true(xb_bootstrap(first, 40, 1, 9, a) && xb_bootstrap(second, 40, 1, 9, b));
  for (int i = 0; i < XB_RESAMPLES; i++)
    assert_close(b[i] / a[i], 2);
  assert_true(xb_bootstrap(second, 40, 1, 10, b));
  double differs = 0;
  for (int i = 0; i < XB_RESAMPLES; i++)
    differs += b[i] != 2 * a[i];
  assert_true(differs > XB_RESAMPLES / 2);
}

TEST(test_interval95)
{
  static double values[XB_RESAMPLES];
  for (int i = 0; i < XB_RESAMPLES; i++)
    values[i] = XB_RESAMPLES - i; /* 1 to 4000, falling */
  const xb_interval i = xb_interval95(values);
  assert_true(i.low == XB_RESAMPLES / 40 + 1 && i.high == XB_RESAMPLES - XB_RESAMPLES / 40);
}

/* ---- Repetitions ------------------------------------------------------------------------------------------------ */

TEST(test_share_larger)
{
  const double a[] = {1, 2, 3, 10}, b[] = {0, 2, 5, 6};
  assert_close(xb_share_larger(a, b, 4), 8.0 / 16); /* 1 + 1 + 2 + 4; equal ones are not larger */
  assert_close(xb_share_larger(a, a, 4), 6.0 / 16);
}

TEST(test_linear)
{
  const double x[] = {1, 2, 4, 8};
  double c0, c1, cov00, cov01, cov11, sum, slope;
  char why[256];
  const double ns[] = {15.2, 24.9, 45.3, 84.8};
  const xb_linear_limits limits = {.off = 0.1, .rise = 0.2, .longer = 0.9}, steep = {.off = 0.1, .rise = 5};
  assert_true(xb_linear(ns, 0.9, limits, &slope, why, sizeof why));
  gsl_fit_linear(x, 1, ns, 1, 4, &c0, &c1, &cov00, &cov01, &cov11, &sum);
  assert_close(slope, c1);
  assert_false(xb_linear(ns, 0.89, limits, &slope, why, sizeof why)); /* possibly chance */
  assert_false(xb_linear(ns, 1, steep, &slope, why, sizeof why));     /* 69.6 is 4.6 times the first */
  static const double bad[][4] = {
      {5, 5, 5, 5},          /* removed */
      {5, 5.01, 4.99, 5.02}, /* removed, with noise */
      {5, 5.1, 5.2, 5.4},    /* the rise is too small */
      {10, 20, 40, 45},      /* the compiler gave up after four */
      {10, 100, 110, 120},   /* the rise is not due to repetitions */
      {80, 40, 20, 10},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    *why = 0;
    if (xb_linear(bad[i], 1, limits, &slope, why, sizeof why))
      fail_msg("case %zu was called linear", i);
    assert_non_null(strstr(why, "not a linear rise"));
  }
}
