/* Simulates xbench diff --again with drawn times: how often it finds a regression that is none, and one that is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "diff/diff.h"
#include "judge/stats.h"

enum { CELLS = 40, TRIALS = 10, SAMPLES = 48, RUNS = 1 + XB_MOST_RUNS }; /* run 0 is the base */

/* How times are drawn. A load makes a whole run slower; places and noise are those of one run. */
typedef struct world {
  const char *type;
  uint64_t placements;
  double ratio, place, noise, load, threshold;
} world;

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
  for (int t = 0; t < TRIALS; t++) {
    xb_document documents[RUNS];
    for (int run = 0; run < RUNS; run++) {
      for (uint64_t c = 0; c < CELLS; c++) {
        double scratch[SAMPLES], *s = samples[run][c];
        draw(w, run, s);
        results[run][c] = (xb_result){.benchmark = "reduce",
                                      .variant = "1",
                                      .backend = "vulkan",
                                      .launch_mode = "stream",
                                      .dtype = "int32",
                                      .cache = "hot",
                                      .on = &device,
                                      .size = c + 1,
                                      .outcome = XB_CELL_OK,
                                      .samples_ns = {s, SAMPLES},
                                      .placements = w->placements,
                                      .median_ns = xb_statistics(s, SAMPLES, (uint32_t)w->placements, scratch).median};
      }
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
         CELLS * TRIALS, sum.again, sum.once, sum.decided, sum.decided_once);
  return sum;
}

static const double ALL = CELLS * TRIALS;

/* Places that differ by up to 8 %; the threshold is 3 %. */
static void test_gpu(void **state)
{
  (void)state;
  world w = {"discrete", 8, 1, 0.08, 0.003, 0, 0.03};
  counts c = simulate(&w);
  assert_true(c.again <= c.once && c.again <= 0.002 * ALL && c.decided > c.decided_once && c.decided > 0.8 * ALL);
  w.ratio = 1.03; /* as slow as is allowed: the most false alarms that any change gives */
  c = simulate(&w);
  assert_true(c.again <= 0.04 * ALL);
  w.ratio = 1.10;
  c = simulate(&w);
  assert_true(c.again > 0.95 * ALL);
}

/* A load that makes a run slower by a third in the mean, and noise of a tenth; the threshold is 10 %. */
static void test_cpu(void **state)
{
  (void)state;
  world w = {"cpu", 1, 1, 0, 0.1, 0.33, 0.1};
  counts c = simulate(&w);
  assert_true(c.again < 0.01 * ALL && c.once > 0.1 * ALL);
  w.ratio = 3;
  c = simulate(&w);
  assert_true(c.again > 0.8 * ALL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_gpu), cmocka_unit_test(test_cpu)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
