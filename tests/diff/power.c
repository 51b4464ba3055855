/* Simulates gates whose runs differ: how often one names a cell that did not change, and the smallest slow-down that 9
 * of 10 gates find. docs/gating.md has the table: with XB_ALL_TESTS=1, all of it is printed. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <math.h>

#include "bench/noise.h"
#include "diff/diff.h"
#include "test.h"

enum { CELLS = 6, PLACEMENTS = 8, SAMPLES = 6 * PLACEMENTS, RUNS = 2 * XB_MOST_RUNS };
static const double THRESHOLD = 0.03, PLACE = 0.01, NOISE = 0.003;

typedef struct gate {
  double deviation; /* of the logarithms of a cell's time between runs */
  double slower;    /* the first cell, by this part */
  size_t bases;
  uint64_t cells; /* at most CELLS */
} gate;

static uint64_t random_state = 1;

static void draw(const gate *g, const xb_result_device *device, bool base, uint64_t size, double samples[SAMPLES],
                 xb_result *r)
{
  double places[PLACEMENTS], scratch[SAMPLES];
  const double run = exp(g->deviation * normal(&random_state)) * (!base && size == 1 ? 1 + g->slower : 1);
  for (int p = 0; p < PLACEMENTS; p++)
    places[p] = 1 + PLACE * normal(&random_state);
  for (int i = 0; i < SAMPLES; i++)
    samples[i] = 1e5 * run * places[i % PLACEMENTS] * (1 + NOISE * normal(&random_state));
  *r = (xb_result){.benchmark = "reduce",
                   .variant = "1",
                   .backend = "vulkan",
                   .launch_mode = "stream",
                   .dtype = "int32",
                   .conditions.cache = "hot",
                   .on = device,
                   .work.size = size,
                   .outcome = XB_CELL_OK,
                   .time.samples_ns = {samples, SAMPLES},
                   .time.placements = PLACEMENTS,
                   .time.median_ns = xb_statistics(samples, SAMPLES, PLACEMENTS, scratch).median};
}

typedef struct named {
  bool regression, improvement; /* of any cell */
  bool found;                   /* the first cell is a regression */
} named;

static named judge(xb_diff *diff, size_t again)
{
  xb_error error;
  named n = {.regression = false};
  xb_diff_free(diff);
  diff->again_count = again;
  assert_false(xb_diff_match(diff, &error) || xb_diff_add_runs(diff, &error) || xb_diff_judge(diff, &error));
  n.regression = diff->counts[XB_CHANGE_REGRESSION] > 0;
  n.improvement = diff->counts[XB_CHANGE_IMPROVEMENT] > 0;
  for (size_t i = 0; i < diff->cell_count; i++)
    n.found |= diff->cells[i].change == XB_CHANGE_REGRESSION && diff->cells[i].now->work.size == 1;
  return n;
}

/* As `xbench diff --again` does it: runs are made until nothing is open. `once`: by the first run of NEW alone. */
static named run_gate(const gate *g, uint64_t seed, named *once)
{
  static double samples[RUNS][CELLS][SAMPLES];
  static xb_result results[RUNS][CELLS];
  static const xb_result_device device = {
      .backend = "vulkan", .name = "drawn", .type = "discrete", .timestamp_period_ns = NAN};
  xb_document documents[RUNS];
  xb_diff diff = {.threshold = THRESHOLD, .seed = seed, .more_base_count = g->bases - 1};
  for (size_t run = 0; run < RUNS; run++) {
    for (uint64_t c = 0; c < g->cells; c++)
      draw(g, &device, run < XB_MOST_RUNS, c + 1, samples[run][c], &results[run][c]);
    documents[run] =
        (xb_document){.devices = &device, .device_count = 1, .results = results[run], .result_count = g->cells};
  }
  diff.base = &documents[0];
  diff.now = &documents[XB_MOST_RUNS];
  for (size_t i = 0; i < XB_MOST_AGAIN; i++) {
    diff.more_bases[i] = &documents[1 + i];
    diff.again[i] = &documents[XB_MOST_RUNS + 1 + i];
  }
  named n = judge(&diff, 0);
  *once = n;
  for (size_t again = 1; again <= XB_MOST_AGAIN && diff.undecided; again++)
    n = judge(&diff, again);
  xb_diff_free(&diff);
  return n;
}

typedef struct shares {
  double regression, improvement, found, improvement_once;
} shares;

static shares simulate(gate g, int gates)
{
  shares s = {0};
  for (int t = 0; t < gates; t++) {
    named once;
    const named n = run_gate(&g, (uint64_t)t + 1, &once);
    s.regression += n.regression / (double)gates;
    s.improvement += n.improvement / (double)gates;
    s.found += n.found / (double)gates;
    s.improvement_once += once.improvement / (double)gates;
  }
  return s;
}

/* The first of these slow-downs that 9 of 10 gates find; 0: none. */
static double smallest_found(double deviation, size_t bases, int gates)
{
  static const double slow[] = {0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5};
  size_t low = 0, high = sizeof slow / sizeof *slow;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (simulate((gate){deviation, slow[middle], bases, 3}, gates).found >= 0.9)
      high = middle;
    else
      low = middle + 1;
  }
  return low < sizeof slow / sizeof *slow ? slow[low] : 0;
}

/* Gates of programs that did not change. An improvement is as rarely false as a regression. */
TEST(test_equal_programs)
{
  static const double deviations[] = {0.02, 0.05, 0, 0.01};
  const bool all = getenv("XB_ALL_TESTS");
  const int gates = test_trials(200);
  for (size_t d = 0; d < (all ? sizeof deviations / sizeof *deviations : 1); d++)
    for (size_t bases = 1; bases <= XB_MOST_RUNS; bases *= all ? 2 : XB_MOST_RUNS) {
      const shares s = simulate((gate){deviations[d], 0, bases, CELLS}, gates);
      printf("runs differ by %.1f %%, bases %zu: %.1f %% of the gates name an improvement (%.1f %% by the first run "
             "alone), %.1f %% a regression\n",
             100 * deviations[d], bases, 100 * s.improvement, 100 * s.improvement_once, 100 * s.regression);
      const double most = CELLS * 0.025 + 3 * sqrt(0.13 / gates); /* 2.5 % of the cells, and three standard errors */
      assert_true(s.improvement <= most && s.regression <= most);
      assert_true(bases > 1 || deviations[d] < 0.02 || s.improvement_once > 2 * s.improvement);
    }
}

/* More runs of the base find smaller slow-downs. */
TEST(test_power)
{
  static const double deviations[] = {0.002, 0.01, 0.02, 0.05};
  const int gates = test_trials(60);
  const double one = simulate((gate){0.01, 0.08, 1, 3}, 20).found, four = simulate((gate){0.01, 0.08, 4, 3}, 20).found;
  printf("runs differ by 1 %%, a cell is 8 %% slower: %.0f %% of the gates find it, %.0f %% with 4 bases\n", 100 * one,
         100 * four);
  assert_true(four >= one && four > 0.7);
  for (size_t d = 0; getenv("XB_ALL_TESTS") && d < sizeof deviations / sizeof *deviations; d++)
    for (size_t bases = 1; bases <= XB_MOST_RUNS; bases *= XB_MOST_RUNS)
      printf("runs differ by %.1f %%, bases %zu: 9 of 10 gates find %g %%\n", 100 * deviations[d], bases,
             100 * smallest_found(deviations[d], bases, gates));
}
