/* Simulates xbench diff --again with drawn times: how often it finds a regression that is none, and one that is. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "diff/diff.h"
#include "judge/stats.h"
#include "test.h"

enum { CELLS = 16, SAMPLES = 48, RUNS = 1 + XB_MOST_RUNS }; /* run 0 is the base */

/* How times are drawn. A load makes a whole run slower; places and noise are those of one run. */
typedef struct world {
  const char *type;
  uint64_t placements;
  double ratio, place, noise, load, threshold;
} world;

static int trials(void)
{
  return test_trials(100);
}

static uint64_t random_state = 1;

static double uniform(void)
{
  return ((double)(xb_random(&random_state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
  return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static void draw(const world *w, int run, double samples[SAMPLES])
{
  double places[8], load = w->load * -log(uniform());
  for (int p = 0; p < 8; p++)
    places[p] = 1 + w->place * (uniform() - 0.5);
  for (uint64_t i = 0; i < SAMPLES; i++)
    samples[i] = 1000 * (run ? w->ratio : 1) * (1 + load) * places[i % w->placements] * (1 + w->noise * fabs(normal()));
}

static xb_result drawn(const world *w, int run, const xb_result_device *device, uint64_t size, double samples[SAMPLES])
{
  double scratch[SAMPLES];
  draw(w, run, samples);
  return (xb_result){.benchmark = "reduce",
                     .variant = "1",
                     .backend = "vulkan",
                     .launch_mode = "stream",
                     .dtype = "int32",
                     .conditions.cache = "hot",
                     .on = device,
                     .work.size = size,
                     .outcome = XB_CELL_OK,
                     .time.samples_ns = {samples, SAMPLES},
                     .time.placements = w->placements,
                     .time.median_ns = xb_statistics(samples, SAMPLES, (uint32_t)w->placements, scratch).median};
}

typedef struct counts {
  int once, again; /* regressions by the first run alone, and by all */
  int decided_once, decided;
} counts;

static void judge(xb_diff *diff, size_t again_count)
{
  xb_error error;
  xb_diff_free(diff);
  diff->again_count = again_count;
  assert_false(xb_diff_match(diff, &error) || xb_diff_add_runs(diff, &error) || xb_diff_judge(diff, &error));
}

static counts simulate(const world *w)
{
  static double samples[RUNS][CELLS][SAMPLES];
  static xb_result results[RUNS][CELLS];
  const xb_result_device device = {.backend = "vulkan", .name = "drawn", .type = w->type, .timestamp_period_ns = NAN};
  counts sum = {0};
  for (int t = 0; t < trials(); t++) {
    xb_document documents[RUNS];
    for (int run = 0; run < RUNS; run++) {
      for (uint64_t c = 0; c < CELLS; c++)
        results[run][c] = drawn(w, run, &device, c + 1, samples[run][c]);
      documents[run] =
          (xb_document){.devices = &device, .device_count = 1, .results = results[run], .result_count = CELLS};
    }
    xb_diff diff = {.base = &documents[0], .now = &documents[1], .threshold = w->threshold, .seed = (uint64_t)t};
    for (int i = 0; i < XB_MOST_AGAIN; i++)
      diff.again[i] = &documents[2 + i];
    judge(&diff, 0);
    sum.once += (int)diff.counts[XB_CHANGE_REGRESSION];
    sum.decided_once += (int)diff.decided;
    judge(&diff, XB_MOST_AGAIN);
    sum.again += (int)diff.counts[XB_CHANGE_REGRESSION];
    sum.decided += (int)diff.decided;
    for (size_t c = 0; c < diff.cell_count; c++)
      assert_true(diff.cells[c].change != XB_CHANGE_REGRESSION || diff.cells[c].run_count == XB_MOST_RUNS);
    xb_diff_free(&diff);
  }
  printf("%s, %g: of %d cells, regressions %d, and %d by the first run alone; decided %d and %d\n", w->type, w->ratio,
         CELLS * trials(), sum.again, sum.once, sum.decided, sum.decided_once);
  return sum;
}

/* Places that differ by up to 8 %; the threshold is 3 %. */
TEST(test_gpu)
{
  const double all = CELLS * trials();
  world w = {"discrete", 8, 1, 0.08, 0.003, 0, 0.03};
  counts c = simulate(&w);
  assert_true(c.again <= c.once && c.again <= 0.002 * all && c.decided > c.decided_once && c.decided > 0.8 * all);
  w.ratio = 1.03; /* as slow as is allowed: the most false alarms that any change gives */
  c = simulate(&w);
  assert_true(c.again <= 0.04 * all);
  w.ratio = 1.10;
  c = simulate(&w);
  assert_true(c.again > 0.95 * all);
}

/* A load that makes a run slower by a third in the mean, and noise of a tenth; the threshold is 10 %. */
TEST(test_cpu)
{
  const double all = CELLS * trials();
  world w = {"cpu", 1, 1, 0, 0.1, 0.33, 0.1};
  counts c = simulate(&w);
  assert_true(c.again < 0.01 * all && c.once > 0.1 * all);
  w.ratio = 3;
  c = simulate(&w);
  assert_true(c.again > 0.7 * all); /* ten loads decide */
}

/* Two runs of 15 cells that did not change, held against each other without a margin: by its own interval some cell
 * often differs; the diff names one in a twentieth of the cases. */
TEST(test_many_equal_cells)
{
  enum { EQUAL = 15 };
  const int diffs = test_trials(400);
  static double samples[2][EQUAL][SAMPLES];
  const world worlds[] = {{"discrete", 8, 1, 0.02, 0.003, 0, 0}, {"discrete", 1, 1, 0, 0.01, 0, 0}};
  for (size_t k = 0; k < sizeof worlds / sizeof worlds[0]; k++) {
    const world *w = &worlds[k];
    const xb_result_device device = {.backend = "vulkan", .name = "drawn", .type = w->type, .timestamp_period_ns = NAN};
    int named = 0, apart = 0;
    for (int t = 0; t < diffs; t++) {
      xb_result results[2][EQUAL];
      xb_document documents[2];
      bool any = false;
      for (int run = 0; run < 2; run++) {
        for (uint64_t c = 0; c < EQUAL; c++)
          results[run][c] = drawn(w, run, &device, c + 1, samples[run][c]);
        documents[run] =
            (xb_document){.devices = &device, .device_count = 1, .results = results[run], .result_count = EQUAL};
      }
      xb_diff diff = {.base = &documents[0], .now = &documents[1], .seed = (uint64_t)t};
      judge(&diff, 0);
      named += diff.counts[XB_CHANGE_REGRESSION] + diff.counts[XB_CHANGE_IMPROVEMENT] > 0;
      for (size_t c = 0; c < diff.cell_count; c++)
        any |= diff.cells[c].interval.low > 1 || diff.cells[c].interval.high < 1;
      apart += any;
      xb_diff_free(&diff);
    }
    printf("%d diffs of %d equal cells, %d placements, threshold 0: a cell is named in %d, by its own interval in %d\n",
           diffs, EQUAL, (int)w->placements, named, apart);
    assert_true(named <= 0.05 * diffs + 3 * sqrt(0.05 * 0.95 * diffs) && apart > 3 * named);
  }
}

/* One of 15 cells became 5 % slower, and is named. */
TEST(test_one_slower_cell)
{
  enum { EQUAL = 15 };
  const int diffs = test_trials(50);
  static double samples[2][EQUAL][SAMPLES];
  const xb_result_device device = {
      .backend = "vulkan", .name = "drawn", .type = "discrete", .timestamp_period_ns = NAN};
  int named = 0;
  for (int t = 0; t < diffs; t++) {
    xb_result results[2][EQUAL];
    xb_document documents[2];
    for (int run = 0; run < 2; run++) {
      for (uint64_t c = 0; c < EQUAL; c++) {
        const world w = {"discrete", 8, c ? 1 : 1.05, 0.01, 0.003, 0, 0.01};
        results[run][c] = drawn(&w, run, &device, c + 1, samples[run][c]);
      }
      documents[run] =
          (xb_document){.devices = &device, .device_count = 1, .results = results[run], .result_count = EQUAL};
    }
    xb_diff diff = {.base = &documents[0], .now = &documents[1], .threshold = 0.01, .seed = (uint64_t)t};
    judge(&diff, 0);
    named += diff.counts[XB_CHANGE_REGRESSION] == 1 && diff.cells[0].now->work.size == 1;
    xb_diff_free(&diff);
  }
  printf("one of 15 cells is 5 %% slower: named in %d of %d\n", named, diffs);
  assert_true(named >= 0.9 * diffs);
}
