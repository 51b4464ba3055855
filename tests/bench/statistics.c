/* Compares the statistics with GSL and with simulations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "judge/judge.h"
#include "judge/linear.h"
#include "judge/ratio.h"
#include "judge/stats.h"
#include "judge/stopping.h"

enum { MOST = 300 };

static double uniform(uint64_t *random)
{
  return ((double)(xb_random(random) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *random)
{
  return sqrt(-2 * log(uniform(random))) * cos(6.283185307179586 * uniform(random));
}

static void assert_close(double got, double expected)
{
  if (fabs(got - expected) > 1e-12 * fmax(1, fabs(expected)))
    fail_msg("got %.17g, expected %.17g", got, expected);
}

/* One more value lies in the prediction interval as often as it says. */
static void test_prediction(void **state)
{
  (void)state;
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

/* ---- One cell --------------------------------------------------------------------------------------------------- */

static void test_quantiles(void **state)
{
  (void)state;
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
static void test_interval_ranks(void **state)
{
  (void)state;
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

static void test_student(void **state)
{
  (void)state;
  for (size_t n = 1; n < 200; n++)
    assert_true(fabs(xb_student(n) / gsl_cdf_tdist_Pinv(0.975, (double)n) - 1) < 1e-3);
  for (size_t n = 1; n < 60; n++)
    for (double t = 0; t < 8; t += 0.37)
      assert_close(xb_student_chance(t, n), 2 * gsl_cdf_tdist_Q(t, (double)n));
}

/* The result is the mean of the placements' medians, with its Student's t interval. */
static void test_placements(void **state)
{
  (void)state;
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
static void test_noise(void **state)
{
  (void)state;
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

/* Placements are resampled: their mean has the standard deviation that the bootstrap of a mean has. */
static void test_bootstrap_placements(void **state)
{
  (void)state;
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
static void test_bootstrap_distribution(void **state)
{
  (void)state;
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

static void test_bootstrap_even(void **state)
{
  (void)state;
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
static void test_bootstrap_pairs(void **state)
{
  (void)state;
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

static void test_interval95(void **state)
{
  (void)state;
  static double values[XB_RESAMPLES];
  for (int i = 0; i < XB_RESAMPLES; i++)
    values[i] = XB_RESAMPLES - i; /* 1 to 4000, falling */
  const xb_interval i = xb_interval95(values);
  assert_true(i.low == XB_RESAMPLES / 40 + 1 && i.high == XB_RESAMPLES - XB_RESAMPLES / 40);
}

typedef enum noise { NORMAL, LOGNORMAL, TWO_MODES, ALIKE, VERY_ALIKE, DRIFT, NOISES } noise;
static const char *const noise_names[] = {"normal",          "log-normal",      "two modes",
                                          "correlation 0.5", "correlation 0.7", "drift"};

/* One sample; `last` is the state of a process whose samples are alike. */
static double draw(noise kind, double *last, uint64_t *random)
{
  const double correlation = kind == ALIKE ? 0.5 : 0.7;
  switch (kind) {
  case NORMAL: return 1 + 0.01 * normal(random);
  case LOGNORMAL: return exp(0.02 * normal(random));
  case TWO_MODES: return (uniform(random) < 0.8 ? 1 : 1.03) + 0.003 * normal(random);
  case ALIKE:
  case VERY_ALIKE:
    *last = correlation * *last + sqrt(1 - correlation * correlation) * normal(random);
    return 1 + 0.01 * *last;
  default: return *last * (1 + 0.005 * normal(random)); /* the state is a clock that two cells share */
  }
}

/* The median of what draw() gives; of two modes, 0.8 P(x <= 1) = 0.5 up to 1e-16. */
static double true_median(noise kind)
{
  return kind == TWO_MODES ? 1 + 0.003 * gsl_cdf_ugaussian_Pinv(0.5 / 0.8) : 1;
}

static void draw_all(noise kind, double *samples, size_t count, uint64_t *random)
{
  double last = normal(random);
  for (size_t i = 0; i < count; i++)
    samples[i] = draw(kind, &last, random);
}

/* How often the interval of a cell holds the median, for counts that nothing decided. */
static void test_intervals(void **state)
{
  (void)state;
  enum { TRIALS = 6000, MOST_SAMPLES = 100 };
  static const size_t counts[] = {5, 6, 7, 8, 9, 10, 12, 16, 20, 24, 30, 50, MOST_SAMPLES};
  double samples[MOST_SAMPLES], scratch[MOST_SAMPLES];
  uint64_t random = 31;
  for (noise kind = NORMAL; kind < DRIFT; kind++) {
    print_message("%-16s", noise_names[kind]);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
      const size_t n = counts[c];
      int held = 0;
      for (int t = 0; t < TRIALS; t++) {
        draw_all(kind, samples, n, &random);
        const xb_stats s = xb_statistics(samples, n, 1, scratch);
        held += s.ci95_low <= true_median(kind) && true_median(kind) <= s.ci95_high;
      }
      const double percent = 100.0 * held / TRIALS, error = 3 * 100 * sqrt(0.95 * 0.05 / TRIALS);
      print_message(" %zu: %.1f", n, percent);
      if (kind < ALIKE && n > 5)
        assert_true(percent >= 94 - error && percent <= 96.5 + error);
      if (kind >= ALIKE && n >= 20)
        assert_true(percent >= 90 - error);
    }
    print_message("\n");
  }
}

/* The same where the samples decide when to stop; at most MOST_SAMPLES are taken. */
static void test_stopping(void **state)
{
  (void)state;
  enum { TRIALS = 1000, MOST_SAMPLES = 150 };
  static const double widths[] = {0.02, 0.012, 0.008};
  double samples[MOST_SAMPLES], scratch[MOST_SAMPLES];
  uint64_t random = 37;
  for (noise kind = NORMAL; kind < DRIFT; kind++) {
    print_message("%-16s", noise_names[kind]);
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
      const double width = widths[w] * (kind == LOGNORMAL ? 2 : 1);
      int held = 0;
      size_t taken = 0;
      for (int t = 0; t < TRIALS; t++) {
        size_t n = 10;
        draw_all(kind, samples, MOST_SAMPLES, &random);
        while (n < MOST_SAMPLES && !xb_settled_by(samples, n, 1, width, scratch))
          n++;
        const xb_stats s = xb_statistics(samples, n, 1, scratch);
        held += s.ci95_low <= true_median(kind) && true_median(kind) <= s.ci95_high;
        taken += n;
      }
      const double percent = 100.0 * held / TRIALS, error = 3 * 100 * sqrt(0.95 * 0.05 / TRIALS);
      print_message(" width %.3f, %zu samples: %.1f", width, taken / TRIALS, percent);
      assert_true(percent >= (kind < ALIKE ? 94 : 90) - error && percent <= 97 + error);
    }
    print_message("\n");
  }
}

/* Eight placements, equal ones and others: what the placements share in a round is in no difference between them. */
static void test_intervals_of_placements(void **state)
{
  (void)state;
  enum { TRIALS = 4000, ROUNDS = 48, PLACEMENTS = 8 };
  double samples[ROUNDS], scratch[ROUNDS];
  uint64_t random = 41;
  for (noise kind = NORMAL; kind < DRIFT; kind++)
    for (int differ = 0; differ < 2 && kind != TWO_MODES; differ++) {
      int held = 0;
      for (int t = 0; t < TRIALS; t++) {
        draw_all(kind, samples, ROUNDS, &random);
        for (int p = 0; p < PLACEMENTS; p++) {
          const double place = 1 + 0.01 * differ * normal(&random);
          for (int i = p; i < ROUNDS; i += PLACEMENTS)
            samples[i] *= place;
        }
        const xb_stats s = xb_statistics(samples, ROUNDS, PLACEMENTS, scratch);
        held += s.ci95_low <= 1 && 1 <= s.ci95_high;
      }
      const double percent = 100.0 * held / TRIALS, error = 3 * 100 * sqrt(0.95 * 0.05 / TRIALS);
      print_message("8 placements%s, %s: %.1f\n", differ ? " that differ" : "", noise_names[kind], percent);
      assert_true(percent >= (kind < ALIKE ? 94 : 90) - error);
    }
}

/* Judges two equal cells with a margin of 1 %. */
static xb_judgement judge_equal(const double *first, const double *second, size_t count, uint64_t placements,
                                bool same_rounds, uint64_t seed)
{
  static const xb_result_device device = {.type = "gpu", .timestamp_period_ns = NAN};
  static const xb_result *const no_floors[2];
  static xb_judge_scratch scratch;
  const xb_result a = {.on = &device, .placements = placements, .samples_ns = {first, count}};
  const xb_result b = {.on = &device, .placements = placements, .samples_ns = {second, count}};
  const xb_rules rules = {.margin = 0.01,
                          .subject = "a",
                          .base = "b",
                          .subject_seed = seed,
                          .base_seed = same_rounds ? seed : seed + 1,
                          .same_rounds = same_rounds};
  xb_judgement j;
  assert_true(xb_judge_pair(&a, &b, no_floors, &rules, &scratch, &j) && j.compared);
  return j;
}

/* How often the interval of an A/A comparison contains 1, and how often it alone would give faster or slower: in the
 * same rounds, whose drift both share, and in two runs. */
static void test_coverage(void **state)
{
  (void)state;
  enum { TRIALS = 400 };
  static const size_t counts[] = {20, 60};
  for (noise kind = NORMAL; kind < NOISES; kind++)
    for (int c = 0; c < 4; c++) {
      const size_t n = counts[c % 2];
      const bool same_rounds = c < 2;
      uint64_t random = (uint64_t)(100 + kind);
      int held = 0, wrong = 0;
      for (int t = 0; t < TRIALS && (kind != DRIFT || same_rounds); t++) {
        double first[60], second[60], drift = 1;
        draw_all(kind, first, n, &random);
        draw_all(kind, second, n, &random);
        for (size_t i = 0; i < n && kind == DRIFT; i++) {
          drift *= 1 + 0.01 * normal(&random);
          first[i] = draw(kind, &drift, &random);
          second[i] = draw(kind, &drift, &random);
        }
        const xb_judgement j = judge_equal(first, second, n, 1, same_rounds, (uint64_t)t);
        held += j.interval.low <= 1 && 1 <= j.interval.high;
        wrong += j.verdict == XB_FASTER || j.verdict == XB_SLOWER;
      }
      if (kind == DRIFT && !same_rounds)
        continue;
      print_message("%s, %zu %s: interval holds 1 in %.1f %%, false verdicts %.1f %%\n", noise_names[kind], n,
                    same_rounds ? "rounds" : "samples each", 100.0 * held / TRIALS, 100.0 * wrong / TRIALS);
      assert_true(held >=
                  (kind == ALIKE || kind == VERY_ALIKE ? 0.87 : 0.92) * TRIALS); /* less three standard errors */
      assert_true(wrong <= (kind == VERY_ALIKE ? 0.02 : 0.01) * TRIALS);
    }
}

/* The same where each side has placements of its own, of which some are 10 % slower. The time of a cell has to be
 * known, too: if such places are rare, a few placements often have none, and the interval is narrow and wrong. */
static void test_placement_coverage(void **state)
{
  (void)state;
  enum { TRIALS = 500, MOST_ROUNDS = 3 * 32 };
  static const struct {
    size_t placements;
    double slow;         /* part of the places */
    double holds, knows; /* at least, in percent: the ratio, the time */
  } cases[] = {{8, 0.5, 88, 91}, {8, 0.1, 94, 53}, {32, 0.1, 92, 80}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    const size_t placements = cases[c].placements, rounds = 3 * placements;
    const double mean = 1 + 0.1 * cases[c].slow;
    uint64_t random = 17;
    int held = 0, wrong = 0, known = 0;
    for (int t = 0; t < TRIALS; t++) {
      double samples[2][MOST_ROUNDS], base[2][32], scratch[MOST_ROUNDS];
      for (int s = 0; s < 2; s++) {
        for (size_t p = 0; p < placements; p++)
          base[s][p] = uniform(&random) < cases[c].slow ? 1.1 : 1;
        for (size_t i = 0; i < rounds; i++)
          samples[s][i] = base[s][i % placements] * (1 + 0.001 * normal(&random));
      }
      const xb_judgement j = judge_equal(samples[0], samples[1], rounds, placements, true, (uint64_t)t);
      const xb_stats s = xb_statistics(samples[0], rounds, (uint32_t)placements, scratch);
      held += j.interval.low <= 1 && 1 <= j.interval.high;
      wrong += j.verdict == XB_FASTER || j.verdict == XB_SLOWER;
      known += s.ci95_low <= mean && mean <= s.ci95_high;
    }
    print_message(
        "%zu placements, %.0f %% of the places slow: interval holds the ratio in %.1f %%, the time in %.1f %%; "
        "false verdicts %.1f %%\n",
        placements, 100 * cases[c].slow, 100.0 * held / TRIALS, 100.0 * known / TRIALS, 100.0 * wrong / TRIALS);
    assert_true(100.0 * held >= cases[c].holds * TRIALS && 100.0 * known >= cases[c].knows * TRIALS);
    assert_true(wrong <= 0.05 * TRIALS);
  }
}

static void test_verdicts(void **state)
{
  (void)state;
  static const struct {
    double low, high, margin;
    xb_verdict verdict;
  } cases[] = {
      {0.995, 1.005, 0.01, XB_SAME},
      {1.001, 1.009, 0.01, XB_SAME},
      {0.98, 0.985, 0.01, XB_FASTER},
      {1.02, 1.03, 0.01, XB_SLOWER},
      {0.985, 0.995, 0.01, XB_UNCLEAR},
      {1.005, 1.015, 0.01, XB_UNCLEAR},
      {0.9, 1.1, 0.01, XB_UNCLEAR},
      {0.998, 0.999, 0, XB_FASTER},
      {1.001, 1.002, 0, XB_SLOWER},
      {0.999, 1.001, 0, XB_UNCLEAR},
      {1, 1, 0, XB_SAME},
      {1 / 1.01, 1.01, 0.01, XB_SAME},
      {0.5, 0.99, 0.01, XB_FASTER},
      {0.5, 0.9902, 0.01, XB_UNCLEAR},
      {NAN, NAN, 0.01, XB_UNCLEAR},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const xb_verdict verdict = xb_judge((xb_interval){cases[i].low, cases[i].high}, cases[i].margin);
    if (verdict != cases[i].verdict)
      fail_msg("[%g, %g], margin %g: %s", cases[i].low, cases[i].high, cases[i].margin, xb_verdict_name(verdict));
  }
}

/* ---- Repetitions ------------------------------------------------------------------------------------------------ */

static void test_share_larger(void **state)
{
  (void)state;
  const double a[] = {1, 2, 3, 10}, b[] = {0, 2, 5, 6};
  assert_close(xb_share_larger(a, b, 4), 8.0 / 16); /* 1 + 1 + 2 + 4; equal ones are not larger */
  assert_close(xb_share_larger(a, a, 4), 6.0 / 16);
}

static void test_linear(void **state)
{
  (void)state;
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
    assert_non_null(strstr(why, "no linear rise"));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_prediction),
      cmocka_unit_test(test_quantiles),
      cmocka_unit_test(test_interval_ranks),
      cmocka_unit_test(test_intervals),
      cmocka_unit_test(test_stopping),
      cmocka_unit_test(test_intervals_of_placements),
      cmocka_unit_test(test_verdicts),
      cmocka_unit_test(test_bootstrap_distribution),
      cmocka_unit_test(test_bootstrap_even),
      cmocka_unit_test(test_bootstrap_pairs),
      cmocka_unit_test(test_interval95),
      cmocka_unit_test(test_share_larger),
      cmocka_unit_test(test_linear),
      cmocka_unit_test(test_coverage),
      cmocka_unit_test(test_student),
      cmocka_unit_test(test_placement_coverage),
      cmocka_unit_test(test_placements),
      cmocka_unit_test(test_noise),
      cmocka_unit_test(test_bootstrap_placements),
  };
  return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
