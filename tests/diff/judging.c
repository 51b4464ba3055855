/* Verdicts on cells of two documents with samples that the test decides. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "judge/stats.h"
#include "test.h"

enum { SAMPLES = 40, RUNS = 4, CELLS = 4 }; /* run 0 is the base */

static double samples[RUNS][CELLS][SAMPLES];
static xb_result results[RUNS][CELLS];
static xb_document documents[RUNS];
static xb_result_device device;
static xb_diff diff;
static const char *const throttled[] = {"power"};

static int set_up(void **state)
{
  (void)state;
  device = (xb_result_device){.backend = "vulkan", .name = "drawn", .type = "discrete", .timestamp_period_ns = NAN};
  for (int run = 0; run < RUNS; run++)
    documents[run] = (xb_document){.devices = &device, .device_count = 1, .results = results[run]};
  diff = (xb_diff){.base = &documents[0], .now = &documents[1], .threshold = 0.03, .seed = 1};
  for (int i = 0; i + 2 < RUNS; i++)
    diff.again[i] = &documents[i + 2];
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  xb_diff_free(&diff);
  return 0;
}

/* A cell of `size` elements. Its samples go up and down by `noise`; each next placement takes `step` longer. */
static xb_result *add(int run, uint64_t size, uint64_t placements, double ns, double noise, double step)
{
  const size_t i = documents[run].result_count++;
  double scratch[SAMPLES], *s = samples[run][i];
  for (uint64_t k = 0; k < SAMPLES; k++)
    s[k] = ns * (1 + noise * (double)((int)(k * 7 % 11) - 5) / 5) + step * (double)(k % placements);
  results[run][i] = (xb_result){.benchmark = "reduce",
                                .variant = "1",
                                .backend = "vulkan",
                                .launch_mode = "stream",
                                .dtype = "int32",
                                .conditions.cache = "hot",
                                .on = &device,
                                .work.size = size,
                                .outcome = XB_CELL_OK,
                                .time.samples_ns = {s, SAMPLES},
                                .time.placements = placements,
                                .time.median_ns = xb_statistics(s, SAMPLES, (uint32_t)placements, scratch).median};
  return &results[run][i];
}

static void judge(size_t again)
{
  xb_error error;
  xb_diff_free(&diff);
  diff.again_count = again;
  assert_false(xb_diff_match(&diff, &error) || xb_diff_add_runs(&diff, &error) || xb_diff_judge(&diff, &error));
}

static const xb_diff_cell *of_size(uint64_t size)
{
  for (size_t i = 0; i < diff.cell_count; i++)
    if ((diff.cells[i].now ? diff.cells[i].now : diff.cells[i].base)->work.size == size)
      return &diff.cells[i];
  fail_msg("no cell of %u elements", (unsigned)size);
  return NULL;
}

/* ---- Two runs --------------------------------------------------------------------------------------------------- */

/* Two runs have no rounds in common: equal noise does not cancel. */
TEST_WITH(test_runs_are_independent, set_up, tear_down)
{
  add(0, 1, 1, 1000, 0.05, 0);
  add(1, 1, 1, 1000, 0.05, 0);
  judge(0);
  const xb_diff_cell *cell = of_size(1);
  assert_true(cell->ratio == 1 && cell->interval.low < 0.99 && cell->interval.high > 1.01);
}

/* On a CPU the samples themselves have to change, but for a tenth at either end. */
TEST_WITH(test_cpu, set_up, tear_down)
{
  device.type = "cpu";
  add(0, 1, 1, 1000, 0.05, 0);
  add(1, 1, 1, 1300, 0.05, 0);
  samples[0][0][0] = samples[0][0][1] = 5000;
  samples[1][0][0] = samples[1][0][1] = 10;
  judge(0);
  assert_int_equal(of_size(1)->change, XB_CHANGE_REGRESSION);
  for (int k = 0; k < SAMPLES / 5; k++)
    samples[0][0][k] = 1300;
  judge(0);
  assert_int_equal(of_size(1)->change, XB_CHANGE_UNCLEAR);
}

/* A run that was stopped, or that has no time, takes nothing from the others; cells of other sizes are others. */
TEST_WITH(test_runs_without_a_time, set_up, tear_down)
{
  add(0, 1, 1, 1000, 0, 0)->outcome = XB_CELL_FAILED;
  add(1, 1, 1, 1000, 0, 0);
  add(2, 1, 1, 1000, 0, 0)->outcome = XB_CELL_INTERRUPTED;
  judge(1);
  assert_ptr_equal(of_size(1)->now, &results[1][0]);
  documents[2].result_count = 0;
  add(2, 1, 1, 1000, 0, 0)->outcome = XB_CELL_WRONG;
  add(3, 1, 1, 1000, 0, 0);
  diff.more_bases[0] = &documents[3];
  diff.more_bases[1] = &documents[2];
  diff.more_base_count = 2;
  judge(0);
  assert_ptr_equal(of_size(1)->base, &results[3][0]);
  assert_int_equal(of_size(1)->base_count, 1);
  diff.more_base_count = 0;
  add(0, 2, 1, 1000, 0, 0)->work.inner = 2;
  add(1, 2, 1, 1000, 0, 0)->work.inner = 3;
  judge(0);
  assert_int_equal(diff.cell_count, 3);
  xb_result_device renamed = device;
  renamed.name = "by another driver";
  add(0, 3, 1, 1000, 0, 0)->device = "uuid";
  xb_result *now = add(1, 3, 1, 1000, 0, 0);
  now->device = "uuid";
  now->on = &renamed;
  judge(0);
  assert_int_equal(diff.cell_count, 4);
}

/* A cell of the base that is gone is to be decided, unless it may go; a new one is not. What is wrong fails, even if
 * the base lacks it. */
TEST_WITH(test_without_a_time, set_up, tear_down)
{
  add(0, 1, 1, 1000, 0, 0);
  add(1, 1, 1, 1000, 0, 0);
  add(0, 2, 1, 1000, 0, 0);
  add(1, 3, 1, 1000, 0, 0);
  diff.min_decided = 1;
  judge(0);
  assert_true(diff.timed == 2 && diff.gone == 1 && diff.decided == 1 && diff.cell_count == 3);
  assert_int_equal(xb_diff_exit_code(&diff), 6);
  diff.any_may_go = true; /* but it is not decided */
  assert_int_equal(xb_diff_exit_code(&diff), 6);
  diff.min_decided = 0.5;
  assert_int_equal(xb_diff_exit_code(&diff), 0);
  diff.any_may_go = false;
  diff.may_go = of_size(2)->base->benchmark;
  judge(0);
  assert_true(diff.timed == 1 && !diff.gone && xb_diff_exit_code(&diff) == 0);
  assert_int_equal(of_size(2)->change, XB_CHANGE_MISSING);
  assert_int_equal(of_size(3)->change, XB_CHANGE_NEW);
  add(1, 4, 1, 1000, 0, 0)->outcome = XB_CELL_WRONG;
  judge(0);
  assert_int_equal(of_size(4)->change, XB_CHANGE_FAILING);
  assert_int_equal(xb_diff_exit_code(&diff), 1);
}

/* Documents are of one run if all samples are the same, to the last one. */
TEST_WITH(test_same_samples, set_up, tear_down)
{
  add(0, 1, 1, 1000, 0.05, 0);
  add(1, 1, 1, 1000, 0.05, 0);
  judge(0);
  assert_non_null(strstr(xb_diff_warning(&diff), "the same samples"));
  samples[1][0][SAMPLES - 1]++;
  assert_null(xb_diff_warning(&diff));
}

/* A cell that may be slower than the threshold is not decided; one that is at most as slow is. */
TEST_WITH(test_decided, set_up, tear_down)
{
  add(0, 1, 1, 1000, 0.2, 0);
  add(1, 1, 1, 1000, 0.2, 0);
  add(0, 2, 1, 1000, 0.02, 0);
  add(1, 2, 1, 960, 0.02, 0);
  judge(0);
  assert_true(of_size(1)->interval.low < 1 && of_size(1)->interval.high > 1.03 && !of_size(1)->decided);
  assert_true(of_size(2)->interval.low < 0.97 && of_size(2)->interval.high < 1.03 && of_size(2)->decided);
}

/* A mean is that of one benchmark. */
TEST_WITH(test_means, set_up, tear_down)
{
  for (int run = 0; run < 2; run++) {
    add(run, 1, 1, run ? 2000 : 1000, 0, 0);
    add(run, 2, 1, run ? 8000 : 1000, 0, 0);
    add(run, 3, 1, run ? 3000 : 1000, 0, 0)->benchmark = "scan";
  }
  judge(0);
  assert_int_equal(diff.mean_count, 2);
  assert_true(fabs(diff.means[0].ratio - 4) < 1e-9 && diff.means[0].compared == 2);
  assert_true(fabs(diff.means[1].ratio - 3) < 1e-9 && diff.means[1].compared == 1);
}

/* Files of older versions do not say how much was flushed. */
TEST_WITH(test_unknown_flush, set_up, tear_down)
{
  add(0, 1, 1, 1000, 0, 0)->conditions.flush_bytes = XB_UNKNOWN;
  add(1, 1, 1, 1000, 0, 0)->conditions.flush_bytes = 4096;
  judge(0);
  assert_int_equal(diff.cell_count, 1);
  results[0][0].conditions.flush_bytes = 8192;
  judge(0);
  assert_int_equal(diff.cell_count, 2);
}

/* Successive samples that are alike tell less, on either side: 40 samples in the order of their size, and in none. */
TEST_WITH(test_alike, set_up, tear_down)
{
  double width[3];
  for (int alike = 0; alike < 3; alike++) { /* 0: neither side; 1: new; 2: the base */
    set_up(NULL);
    for (int run = 0; run < 2; run++) {
      add(run, 1, 1, 1000, 0.02, 0);
      if (alike == 2 - run)
        xb_sort_doubles(samples[run][0], SAMPLES);
    }
    judge(0);
    width[alike] = of_size(1)->interval.high - of_size(1)->interval.low;
    tear_down(NULL);
  }
  assert_true(width[1] > 1.3 * width[0] && width[2] > 1.3 * width[0]);
}

/* Of 4 and 8 placements, the 4 limit how well a difference is known, whichever side they are of. */
TEST_WITH(test_chance, set_up, tear_down)
{
  for (int few = 0; few < 2; few++) {
    set_up(NULL);
    add(0, 1, few == 0 ? 4 : 8, 1000, 0, few == 0 ? 4 : 2);
    add(1, 1, few == 1 ? 4 : 8, 1080, 0, few == 1 ? 4 : 2);
    judge(0);
    const xb_diff_cell *cell = of_size(1);
    const double beyond = log(cell->ratio) - log(1.03), half = log(cell->ratio / cell->interval.low);
    const double expected = xb_student_chance(beyond / half * xb_student(3), 3);
    assert_true(beyond > 0 && fabs(cell->chance / expected - 1) < 1e-9);
    tear_down(NULL);
  }
}

/* Of four cells one is slower, or faster, by no more than chance gives: the slower one is measured again, the faster
 * one is decided. */
TEST_WITH(test_by_chance, set_up, tear_down)
{
  for (int faster = 0; faster < 2; faster++) {
    const xb_diff_cell *cell = NULL;
    for (double by = 1.03; by < 1.2 && !(cell && strstr(cell->reason, "by chance")); by += 0.0005) {
      tear_down(NULL);
      set_up(NULL);
      for (int k = 0; k < CELLS; k++) {
        add(0, (uint64_t)k, 1, 1000, 0.05, 0);
        add(1, (uint64_t)k, 1, k ? 1000 : faster ? 1000 / by : 1000 * by, 0.05, 0);
      }
      judge(0);
      cell = of_size(0);
    }
    assert_non_null(strstr(cell->reason, "one of 4 cells may differ this much by chance"));
    assert_int_equal(cell->change, XB_CHANGE_UNCLEAR);
    assert_true(xb_diff_is_open(cell) == !faster && cell->decided == faster);
    tear_down(NULL);
  }
}

/* Times of an emulation are not compared, so nothing is left to decide. */
TEST_WITH(test_emulated, set_up, tear_down)
{
  device.emulated = 1;
  add(0, 1, 1, 1000, 0.05, 0);
  add(1, 1, 1, 2000, 0.05, 0);
  judge(0);
  assert_true(of_size(1)->change == XB_CHANGE_UNCHANGED && of_size(1)->decided && diff.decided == 1);
}

/* The rules of CPUs are for both files if one of them is of a CPU, whichever device it is. */
TEST_WITH(test_one_cpu, set_up, tear_down)
{
  xb_result_device devices[] = {device, device};
  devices[0].type = "cpu";
  add(0, 1, 1, 1000, 0.2, 0);
  add(1, 1, 1, 1300, 0.2, 0)->on = &devices[0];
  judge(0);
  assert_non_null(strstr(of_size(1)->reason, "the samples of the two runs overlap"));
  documents[1].devices = devices;
  documents[1].device_count = 2;
  diff.threshold = -1;
  judge(0);
  assert_true(diff.threshold == 0.1);
}

/* A name that only begins alike does not let a cell go. One that NEW has measured less often is not gone. */
TEST_WITH(test_gone, set_up, tear_down)
{
  static const char *const lists[] = {"reduce_1", "reduce/1", "reduce/11,reduce/1", "reduc,reduces"};
  add(0, 1, 1, 1000, 0, 0);
  add(1, 1, 1, 1000, 0, 0);
  add(0, 2, 1, 1000, 0, 0);
  for (int i = 0; i < 4; i++) {
    diff.may_go = lists[i];
    judge(0);
    assert_int_equal(diff.gone, i % 3 == 0);
  }
  diff.may_go = NULL;
  add(0, 1, 1, 1000, 0, 0);
  add(1, 2, 1, 1000, 0, 0);
  judge(0);
  assert_int_equal(diff.gone, 0);
  add(1, 1, 1, 1000, 0, 0); /* now both have it twice */
  judge(0);
  assert_int_equal(diff.counts[XB_CHANGE_UNCHANGED], 3);
  xb_error error;
  xb_diff_free(&diff);
  assert_int_equal(xb_diff_match(&diff, &error), XB_OK);
  for (size_t i = 0; i < diff.cell_count; i++)
    assert_int_equal(*diff.cells[i].reason, 0);
}

/* A control is not compared, but a wrong one fails. */
TEST_WITH(test_wrong_control, set_up, tear_down)
{
  add(0, 1, 1, 1000, 0, 0);
  add(1, 1, 1, 1000, 0, 0);
  xb_result *control = add(1, 2, 1, 1000, 0, 0);
  control->yardstick = 1;
  judge(0);
  assert_int_equal(diff.cell_count, 1);
  control->outcome = XB_CELL_WRONG;
  judge(0);
  assert_int_equal(of_size(2)->change, XB_CHANGE_FAILING);
}

/* What the files were measured with, and what of it is the device. */
TEST_WITH(test_conditions, set_up, tear_down)
{
  xb_error error;
  xb_result_device other = device;
  add(0, 1, 1, 1000, 0, 0);
  add(0, 2, 1, 1000, 0, 0);
  xb_result *now = add(1, 1, 1, 1000, 0, 0);
  assert_int_equal(xb_diff_conditions(&diff, &error), XB_OK);
  assert_true(diff.difference_count == 1 && !strcmp(diff.differences[0].what, "sizes"));
  results[0][1].work.size = 1;
  other.queue_family = 3;
  now->on = &other;
  assert_int_equal(xb_diff_conditions(&diff, &error), XB_OK);
  assert_true(diff.difference_count == 1 && !strcmp(diff.differences[0].what, "queue families"));
  assert_false(diff.across_devices);
  other = device;
  other.name = "another";
  assert_int_equal(xb_diff_conditions(&diff, &error), XB_OK);
  assert_true(diff.difference_count == 1 && diff.across_devices);
}

/* ---- Several runs ----------------------------------------------------------------------------------------------- */

/* Placement p of run i becomes placement p + i * placements of all. */
TEST_WITH(test_pooled_placements, set_up, tear_down)
{
  double *values;
  xb_result pooled;
  const xb_result *base = add(0, 1, 4, 1000, 0, 0);
  xb_diff_cell cell = {.base = base, .now = add(1, 1, 4, 1000, 0, 1), .run_count = 2};
  cell.runs[0] = cell.now;
  cell.runs[1] = add(2, 1, 4, 2000, 0, 1);
  assert_true(xb_pool_runs(cell.base, cell.runs, 2, &pooled, &values));
  assert_true(pooled.time.placements == 8 && pooled.time.samples_ns.count == 2 * SAMPLES);
  for (size_t i = 0; i < pooled.time.samples_ns.count; i++)
    assert_true(pooled.time.samples_ns.values[i] == (i % 8 < 4 ? 1000 : 2000) + (double)(i % 4));
  free(values);
}

/* Only rounds that all runs have are pooled. Runs of one placement follow each other. */
TEST_WITH(test_pooled_rounds, set_up, tear_down)
{
  double *values;
  xb_result pooled;
  const xb_result *base = add(0, 1, 4, 1000, 0, 0);
  xb_result *first = add(1, 1, 4, 1000, 0, 1), *second = add(2, 1, 4, 2000, 0, 1);
  xb_diff_cell cell = {.base = base, .now = first, .runs = {first, second}, .run_count = 2};
  first->time.samples_ns.count = 20;
  assert_true(xb_pool_runs(cell.base, cell.runs, 2, &pooled, &values));
  assert_int_equal(pooled.time.samples_ns.count, 2 * 20);
  free(values);
  first->time.placements = second->time.placements = 1;
  assert_true(xb_pool_runs(cell.base, cell.runs, 2, &pooled, &values));
  assert_true(pooled.time.placements == 1 && pooled.time.samples_ns.count == 20 + SAMPLES);
  assert_true(pooled.time.samples_ns.values[19] == 1003 && pooled.time.samples_ns.values[20] == 2000);
  free(values);
}

/* A run that was throttled unlike the base is left out, unless it is the only one. */
TEST_WITH(test_throttled_run, set_up, tear_down)
{
  double *values;
  xb_result pooled;
  xb_diff_cell cell = {.base = add(0, 1, 4, 1000, 0, 0), .now = add(1, 1, 4, 1000, 0, 0), .run_count = 2};
  xb_result *second = add(2, 1, 4, 2000, 0, 0);
  cell.runs[0] = cell.now;
  cell.runs[1] = second;
  second->throttling.throttle = (xb_texts){throttled, 1};
  assert_true(xb_pool_runs(cell.base, cell.runs, 2, &pooled, &values));
  assert_int_equal(pooled.time.placements, 4);
  assert_true(pooled.time.samples_ns.values[0] == 1000);
  free(values);
  cell.runs[0] = second;
  assert_true(xb_pool_runs(cell.base, cell.runs, 1, &pooled, &values));
  assert_true(pooled.time.samples_ns.values[0] == 2000);
  free(values);
}

/* A result has 64 placements at most; a run beyond these is left out. */
TEST_WITH(test_most_placements, set_up, tear_down)
{
  double *values;
  xb_result pooled;
  xb_diff_cell cell = {.base = add(0, 1, 32, 1000, 0, 0), .now = add(1, 1, 32, 1000, 0, 0), .run_count = 3};
  cell.runs[0] = cell.now;
  cell.runs[1] = add(2, 1, 32, 2000, 0, 0);
  cell.runs[2] = add(3, 1, 32, 3000, 0, 0);
  assert_true(xb_pool_runs(cell.base, cell.runs, 3, &pooled, &values));
  assert_true(pooled.time.placements == 64 && pooled.time.samples_ns.count == 64);
  assert_true(values[0] == 1000 && values[63] == 2000);
  free(values);
}

/* What is wrong once is wrong. */
TEST_WITH(test_wrong_run, set_up, tear_down)
{
  add(0, 1, 1, 1000, 0.05, 0);
  add(1, 1, 1, 1040, 0.05, 0);
  add(2, 1, 1, 1000, 0.05, 0)->outcome = XB_CELL_WRONG;
  judge(1);
  assert_int_equal(of_size(1)->change, XB_CHANGE_FAILING);
}

/* One more run would have to be slower than the threshold allows: here it would be slower, by 1 % or more. The same for
 * what is faster, which is decided even if it is unclear. */
TEST_WITH(test_spread, set_up, tear_down)
{
  static const double last[] = {1100, 1073};
  for (int i = 0; i < 4; i++) {
    set_up(NULL);
    add(0, 1, 1, 1000, 0.001, 0);
    add(1, 1, 1, (i < 2 ? 1100 : 1000 / 1.1), 0.001, 0);
    add(2, 1, 1, (i < 2 ? 1101 : 1000 / 1.101), 0.001, 0);
    add(3, 1, 1, (i < 2 ? last[i] : 1000 / (last[i - 2] / 1000)), 0.001, 0);
    judge(2);
    const xb_diff_cell *cell = of_size(1);
    assert_int_equal(cell->run_count, 3);
    assert_int_equal(cell->change, i % 2 ? XB_CHANGE_UNCLEAR : i < 2 ? XB_CHANGE_REGRESSION : XB_CHANGE_IMPROVEMENT);
    assert_int_equal(cell->decided, i != 1);
    assert_true((i % 2 == 0 || strstr(cell->reason, i < 2 ? "as fast as the base" : "as slow as the base")));
    tear_down(NULL);
  }
}

/* Three runs, the base's included, are enough to say how much runs differ. */
TEST_WITH(test_spread_of_three, set_up, tear_down)
{
  add(0, 1, 1, 1000, 0.001, 0);
  add(1, 1, 1, 1100, 0.001, 0);
  add(2, 1, 1, 1073, 0.001, 0);
  judge(1);
  assert_int_equal(of_size(1)->change, XB_CHANGE_UNCLEAR);
}

/* What is faster by one run is measured again: only several runs tell how much they differ. */
TEST_WITH(test_faster_is_open, set_up, tear_down)
{
  add(0, 1, 1, 1000, 0.001, 0);
  add(1, 1, 1, 900, 0.001, 0);
  add(0, 2, 1, 1000, 0.001, 0);
  add(1, 2, 1, 1000, 0.001, 0);
  judge(0);
  assert_true(of_size(1)->change == XB_CHANGE_IMPROVEMENT && xb_diff_is_open(of_size(1)) && diff.undecided == 1);
  assert_true(of_size(1)->decided && !xb_diff_is_open(of_size(2)));
}

/* The same code is faster for another reason, which the row says. */
TEST_WITH(test_same_code, set_up, tear_down)
{
  char note[XB_DIFF_TEXT];
  add(0, 1, 1, 1000, 0.001, 0)->code.code_hash = "fnv1a64:1";
  add(1, 1, 1, 400, 0.001, 0)->code.code_hash = "fnv1a64:1";
  judge(0);
  assert_int_equal(of_size(1)->change, XB_CHANGE_IMPROVEMENT);
  assert_non_null(strstr(xb_diff_note(of_size(1), note), "the kernel's code is the same"));
  results[1][0].code.code_hash = "fnv1a64:2";
  judge(0);
  assert_non_null(strstr(xb_diff_note(of_size(1), note), "other code"));
  assert_null(strstr(note, "the kernel's code is the same"));
}

/* Runs of the base tell how much runs differ, as those of NEW do: 5 % are no regression if two bases differ by 10 %. */
TEST_WITH(test_several_bases, set_up, tear_down)
{
  static const double second[] = {1001, 1100};
  for (int i = 0; i < 2; i++) {
    set_up(NULL);
    diff.more_bases[0] = &documents[2];
    diff.more_bases[1] = &documents[3];
    diff.more_base_count = 2;
    add(0, 1, 4, 1000, 0.001, 0);
    add(1, 1, 4, 1200, 0.001, 0);
    add(2, 1, 4, second[i], 0.001, 0);
    add(3, 1, 4, 999, 0.001, 0);
    judge(0);
    const xb_diff_cell *cell = of_size(1);
    assert_int_equal(cell->base_count, 3);
    assert_true(fabs(cell->base_ns / ((1000 + second[i] + 999) / 3) - 1) < 1e-3); /* all placements of all runs */
    assert_int_equal(cell->change, i ? XB_CHANGE_UNCLEAR : XB_CHANGE_REGRESSION);
    tear_down(NULL);
  }
  set_up(NULL); /* a base without a time says nothing, and the next one takes its place */
  diff.more_bases[0] = &documents[2];
  diff.more_base_count = 1;
  add(0, 1, 1, 1000, 0.001, 0)->outcome = XB_CELL_FAILED;
  add(1, 1, 1, 1100, 0.001, 0);
  add(2, 1, 1, 1000, 0.001, 0);
  judge(0);
  assert_int_equal(of_size(1)->change, XB_CHANGE_REGRESSION);
}
