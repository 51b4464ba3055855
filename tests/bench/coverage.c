/* bench_coverage: how often intervals hold what they should, and verdicts are right, in simulations. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "judge/judge.h"
#include "judge/stats.h"
#include "noise.h"
#include "test.h"

typedef enum noise { NORMAL, LOGNORMAL, TWO_MODES, ALIKE, VERY_ALIKE, EVEN_MODES, DRIFT, NOISES } noise;
static const char *const noise_names[] = {"normal",          "log-normal", "two modes", "correlation 0.5",
                                          "correlation 0.7", "even modes", "drift"};

/* Three standard errors of a share. */
static double error_of(double share, int trials)
{
  return 3 * sqrt(share * (1 - share) / trials);
}

/* One sample; `last` is the state of a process whose samples are alike. */
static double draw(noise kind, double *last, uint64_t *random)
{
  const double correlation = kind == ALIKE ? 0.5 : 0.7;
  switch (kind) {
  case NORMAL: return 1 + 0.01 * normal(random);
  case LOGNORMAL: return exp(0.02 * normal(random));
  case TWO_MODES: return (uniform(random) < 0.8 ? 1 : 1.03) + 0.003 * normal(random);
  case EVEN_MODES: return (uniform(random) < 0.5 ? 1 : 1.03) + 0.003 * normal(random);
  case ALIKE:
  case VERY_ALIKE:
    *last = correlation * *last + sqrt(1 - correlation * correlation) * normal(random);
    return 1 + 0.01 * *last;
  default: return *last * (1 + 0.005 * normal(random)); /* the state is a clock that two cells share */
  }
}

/* The median of what draw() gives; of two modes, 0.8 P(x <= 1) = 0.5 up to 1e-16; of even ones, the middle. */
static double true_median(noise kind)
{
  return kind == EVEN_MODES ? 1.015 : kind == TWO_MODES ? 1 + 0.003 * gsl_cdf_ugaussian_Pinv(0.5 / 0.8) : 1;
}

static void draw_all(noise kind, double *samples, size_t count, uint64_t *random)
{
  double last = normal(random);
  for (size_t i = 0; i < count; i++)
    samples[i] = draw(kind, &last, random);
}

/* How often the interval of a cell holds the median, for counts that nothing decided. */
TEST(test_intervals)
{
  enum { MOST_SAMPLES = 100 };
  const int trials = test_trials(6000);
  static const size_t counts[] = {5, 6, 7, 8, 9, 10, 12, 16, 20, 24, 30, 50, MOST_SAMPLES};
  double samples[MOST_SAMPLES], scratch[MOST_SAMPLES];
  uint64_t random = 31;
  for (noise kind = NORMAL; kind < DRIFT; kind++) {
    print_message("%-16s", noise_names[kind]);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
      const size_t n = counts[c];
      int held = 0;
      for (int t = 0; t < trials; t++) {
        draw_all(kind, samples, n, &random);
        const xb_stats s = xb_statistics(samples, n, 1, scratch);
        held += s.ci95_low <= true_median(kind) && true_median(kind) <= s.ci95_high;
      }
      const double percent = 100.0 * held / trials, error = 100 * error_of(0.95, trials);
      print_message(" %zu: %.1f", n, percent);
      if (kind < ALIKE && n > 5) /* below 16 samples, wider for those that are alike and do not show it */
        assert_true(percent >= 94 - error && percent <= (n < 16 ? 99 : 96.5) + error);
      if (kind >= ALIKE && n > 5)
        assert_true(percent >= 90 - error);
    }
    print_message("\n");
  }
}

/* The same where the samples decide when to stop; at most MOST_SAMPLES are taken. */
TEST(test_stopping)
{
  enum { MOST_SAMPLES = 150 };
  const int trials = test_trials(1000);
  static const double widths[] = {0.02, 0.012, 0.008};
  double samples[MOST_SAMPLES], scratch[MOST_SAMPLES];
  uint64_t random = 37;
  for (noise kind = NORMAL; kind < DRIFT; kind++) {
    print_message("%-16s", noise_names[kind]);
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
      const double width = widths[w] * (kind == LOGNORMAL ? 2 : 1);
      int held = 0;
      size_t taken = 0;
      for (int t = 0; t < trials; t++) {
        size_t n = 10;
        draw_all(kind, samples, MOST_SAMPLES, &random);
        while (n < MOST_SAMPLES && !xb_settled_by(samples, n, 1, width, scratch))
          n++;
        const xb_stats s = xb_statistics(samples, n, 1, scratch);
        held += s.ci95_low <= true_median(kind) && true_median(kind) <= s.ci95_high;
        taken += n;
      }
      const double percent = 100.0 * held / trials, error = 100 * error_of(0.95, trials);
      print_message(" width %.3f, %zu samples: %.1f", width, taken / (size_t)trials, percent);
      assert_true(percent >= (kind < ALIKE ? 94 : 90) - error && percent <= 97 + error);
    }
    print_message("\n");
  }
}

/* Eight placements, equal ones and others: what the placements share in a round is in no difference between them. */
TEST(test_intervals_of_placements)
{
  enum { ROUNDS = 48, PLACEMENTS = 8 };
  const int trials = test_trials(4000);
  double samples[ROUNDS], scratch[ROUNDS];
  uint64_t random = 41;
  for (noise kind = NORMAL; kind < DRIFT; kind++)
    for (int differ = 0; differ < 2 && kind != TWO_MODES && kind != EVEN_MODES; differ++) {
      int held = 0;
      for (int t = 0; t < trials; t++) {
        draw_all(kind, samples, ROUNDS, &random);
        for (int p = 0; p < PLACEMENTS; p++) {
          const double place = 1 + 0.01 * differ * normal(&random);
          for (int i = p; i < ROUNDS; i += PLACEMENTS)
            samples[i] *= place;
        }
        const xb_stats s = xb_statistics(samples, ROUNDS, PLACEMENTS, scratch);
        held += s.ci95_low <= 1 && 1 <= s.ci95_high;
      }
      const double percent = 100.0 * held / trials, error = 100 * error_of(0.95, trials);
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
  const xb_result a = {.on = &device, .time.placements = placements, .time.samples_ns = {first, count}};
  const xb_result b = {.on = &device, .time.placements = placements, .time.samples_ns = {second, count}};
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
TEST(test_coverage)
{
  const int trials = test_trials(400);
  static const size_t counts[] = {20, 60};
  for (noise kind = NORMAL; kind < NOISES; kind++)
    for (int c = 0; c < 4; c++) {
      const size_t n = counts[c % 2];
      const bool same_rounds = c < 2;
      uint64_t random = (uint64_t)(100 + kind);
      int held = 0, wrong = 0;
      for (int t = 0; t < trials && (kind != DRIFT || same_rounds); t++) {
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
                    same_rounds ? "rounds" : "samples each", 100.0 * held / trials, 100.0 * wrong / trials);
      const double expected = kind == ALIKE || kind == VERY_ALIKE || kind == EVEN_MODES ? 0.91 : 0.95;
      assert_true(held >= (expected - error_of(expected, trials)) * trials);
      assert_true(wrong <= ceil((kind == VERY_ALIKE ? 0.02 : 0.01) * trials));
    }
}

/* The same where each side has placements of its own, of which some are 10 % slower. The time of a cell has to be
 * known, too: if such places are rare, a few placements often have none, and the interval is narrow and wrong. */
TEST(test_placement_coverage)
{
  enum { MOST_ROUNDS = 3 * 32 };
  const int trials = test_trials(500);
  static const struct {
    size_t placements;
    double slow;         /* part of the places */
    double holds, knows; /* the ratio, the time */
  } cases[] = {{8, 0.5, 0.92, 0.94}, {8, 0.1, 0.96, 0.6}, {32, 0.1, 0.95, 0.85}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    const size_t placements = cases[c].placements, rounds = 3 * placements;
    const double mean = 1 + 0.1 * cases[c].slow;
    uint64_t random = 17;
    int held = 0, wrong = 0, known = 0;
    for (int t = 0; t < trials; t++) {
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
        placements, 100 * cases[c].slow, 100.0 * held / trials, 100.0 * known / trials, 100.0 * wrong / trials);
    assert_true(held >= (cases[c].holds - error_of(cases[c].holds, trials)) * trials);
    assert_true(known >= (cases[c].knows - error_of(cases[c].knows, trials)) * trials);
    assert_true(wrong <= 0.05 * trials);
  }
}

TEST(test_verdicts)
{
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
      {0.99005, 1, 0.01, XB_UNCLEAR}, /* above 1 - 0.01, below 1 / 1.01 */
      {0.5, 0.99005, 0.01, XB_FASTER},
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
