/* Pairs, verdicts and floors of artificial cells. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "judge/judge.h"
#include "result/fields.h"
#include "test.h"

enum { ROUNDS = 30, MAX_CELLS = 8 };

static xb_result_device devices[2];
static double samples[MAX_CELLS][ROUNDS];
static xb_result cells[MAX_CELLS];
static size_t count, comparison_count;
static const char *const throttled[] = {"power"};
static xb_arena arena;
static xb_means means;
static xb_error error;

static int setup(void **state)
{
  (void)state;
  count = 0;
  for (int d = 0; d < 2; d++) {
    xb_set_unknown(&xb_device_fields, &devices[d]);
    devices[d].backend = d ? "vulkan" : "cuda";
    devices[d].type = "discrete";
    devices[d].launch_mode = d ? "command_buffer" : "graph";
  }
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  xb_means_free(&means);
  xb_arena_free(&arena);
  return 0;
}

/* Samples near `ns`, with a part per thousand of noise that depends on the round and not on the cell. */
static xb_result *add(const char *benchmark, const char *variant, int target, double ns)
{
  xb_result *cell = &cells[count];
  for (int i = 0; i < ROUNDS; i++)
    samples[count][i] = ns * (1 + 0.001 * (i * 7 % 11 - 5) / 5.0);
  xb_set_unknown(&xb_result_fields, cell);
  cell->benchmark = benchmark;
  cell->variant = variant;
  cell->on = &devices[target];
  cell->backend = devices[target].backend;
  cell->launch_mode = devices[target].launch_mode;
  cell->dtype = "float32";
  cell->conditions.clock = "device";
  cell->is_base = false;
  cell->time.batch = 100;
  cell->time.placements = 1;
  cell->time.samples_ns = (xb_numbers){samples[count], ROUNDS};
  cell->time.median_ns = ns;
  cell->outcome = XB_CELL_OK;
  count++;
  return cell;
}

static const xb_comparison *compare(double margin)
{
  const xb_comparison *comparisons;
  xb_means_free(&means);
  assert_int_equal(
      xb_compare_results(cells, count, 0, margin, 1, &arena, &comparisons, &comparison_count, &means, &error), XB_OK);
  return comparisons;
}

static bool says(const xb_comparison *c, const char *verdict)
{
  return c->verdict && !strcmp(c->verdict, verdict);
}

/* The times of a stream as launched are those of the host. They are compared with each other only. */
TEST_WITH(test_as_launched, setup, teardown)
{
  static const char *const modes[] = {"graph", "stream", "held_stream"};
  for (int base = 0; base < 3; base++)
    for (int subject = 0; subject < 3; subject++) {
      const bool unlike = (base == 1) != (subject == 1);
      setup(NULL);
      xb_result *cell = add("reduce", "7_x", 0, 1000);
      cell->is_base = true;
      cell->launch_mode = modes[base];
      cell = add("reduce", "7_x", 0, 500);
      cell->launch_mode = modes[subject];
      cell->time.issue_ns = 489;
      const xb_comparison *p = compare(-1);
      assert_int_equal(comparison_count, 1);
      assert_true(unlike ? !p[0].verdict && strstr(p[0].reason, "use --launch held_stream") : says(&p[0], "faster"));
      assert_false(xb_host_bound(cell));
      cell->time.issue_ns = 491;
      assert_true(xb_host_bound(cell));
    }
}

TEST_WITH(test_apis, setup, teardown)
{
  add("reduce", "7_x", 0, 1000)->is_base = true;
  add("reduce", "9_x", 0, 500)->is_base = true;
  add("reduce", "7_x", 1, 1050);
  add("reduce", "9_x", 1, 450);
  const xb_comparison *p = compare(-1);
  assert_int_equal(comparison_count, 2);
  assert_ptr_equal(p[0].base, &cells[0]); /* its own variant */
  assert_ptr_equal(p[1].base, &cells[1]);
  assert_true(says(&p[0], "slower") && says(&p[1], "faster"));
  assert_true(p[0].ratio > 1.0499 && p[0].ratio < 1.0501);
  assert_true(p[0].ci95_ratio.low <= p[0].ratio && p[0].ratio <= p[0].ci95_ratio.high);
  assert_true(p[0].ci95_ratio.high - p[0].ci95_ratio.low < 1e-6); /* the noise of the rounds cancels */
  assert_true(p[0].margin == 0.01 && isnan(p[0].ratio_less_floors));
}

TEST_WITH(test_variants, setup, teardown)
{
  add("reduce", "9_x", 0, 500);
  add("reduce", "10_cub", 0, 505)->is_base = true;
  add("reduce", "9_x", 1, 600);
  xb_result *elsewhere = add("reduce", "10_cub", 1, 1);
  elsewhere->is_base = true;
  elsewhere->outcome = XB_CELL_UNSUPPORTED;
  const xb_comparison *p = compare(0);
  assert_int_equal(comparison_count, 2);
  assert_ptr_equal(p[0].base, &cells[1]);
  assert_ptr_equal(p[1].base, &cells[1]); /* its own side has none */
  assert_true(says(&p[0], "faster") && says(&p[1], "slower"));
  p = compare(0.02);
  assert_true(says(&p[0], "same"));
}

/* A mean names its base's variant where all pairs have that one, whichever pair comes first. */
TEST_WITH(test_base_of_a_mean, setup, teardown)
{
  add("reduce", "9_x", 0, 500)->is_base = true;
  add("reduce", "9_x", 1, 600); /* the base's own variant */
  add("reduce", "8_x", 1, 700);
  compare(-1);
  xb_means_finish(&means);
  assert_int_equal(means.count, 1);
  assert_string_equal(means.means[0].base.variant, "9_x");
  add("reduce", "8_x", 0, 700)->is_base = true; /* each its own */
  compare(-1);
  xb_means_finish(&means);
  assert_int_equal(means.count, 1);
  assert_null(means.means[0].base.variant);
}

TEST_WITH(test_itself, setup, teardown)
{
  add("reduce", "9_x", 0, 500);
  add("reduce", "9_x", 0, 500)->is_base = true;
  const xb_comparison *p = compare(-1);
  assert_int_equal(comparison_count, 1);
  assert_true(says(&p[0], "same") && p[0].ratio == 1);
}

TEST_WITH(test_failed, setup, teardown)
{
  add("reduce", "7_x", 0, 1000)->is_base = true;
  add("reduce", "7_x", 1, 1000)->outcome = XB_CELL_WRONG;
  const xb_comparison *p = compare(-1);
  assert_true(!p[0].verdict && !strcmp(p[0].reason, "no result on this side"));
  cells[1].outcome = XB_CELL_OK;
  cells[0].outcome = XB_CELL_FAILED;
  p = compare(-1);
  assert_true(!p[0].verdict && !strcmp(p[0].reason, "no result on the base"));
  cells[0].is_base = false;
  p = compare(-1);
  assert_int_equal(comparison_count, 2);
  assert_true(!p[1].verdict && !p[1].base && !strcmp(p[1].reason, "no result on any other side"));
}

TEST_WITH(test_throttled, setup, teardown)
{
  add("reduce", "7_x", 0, 1000)->is_base = true;
  add("reduce", "7_x", 1, 1500);
  assert_true(says(compare(-1), "slower"));
  cells[1].throttling.throttle = (xb_texts){throttled, 1};
  const xb_comparison *p = compare(-1);
  assert_true(says(p, "unclear") && !strcmp(p->reason, "this side was throttled"));
  cells[0].throttling.throttle = (xb_texts){throttled, 1}; /* both were throttled: comparable again */
  assert_true(says(compare(-1), "slower"));
  cells[1].throttling.throttle = (xb_texts){0};
  assert_true(!strcmp(compare(-1)->reason, "the base was throttled"));
}

/* A cell with one placement is not compared with a mean over several placements, why ever it has only one. */
TEST_WITH(test_one_placement, setup, teardown)
{
  add("reduce", "9_x", 0, 1000)->is_base = true;
  add("reduce", "9_x", 1, 2000);
  cells[0].time.placements = 3;
  cells[1].time.crowded = 1;
  const xb_comparison *p = compare(-1);
  assert_true(says(p, "unclear") && !strcmp(p->reason, "this side had memory for one placement only"));
  cells[1].time.crowded = 0;
  p = compare(-1);
  assert_true(says(p, "unclear") && !strcmp(p->reason, "this side has one placement only"));
  cells[0].time.placements = 1; /* now both have one: the places of either may be slow ones, and the verdict says so */
  p = compare(-1);
  assert_true(says(p, "slower") && !strcmp(p->reason, "one placement: with other placements the ratio may differ"));
  devices[0].type = devices[1].type = "cpu"; /* whose buffers have no other places */
  p = compare(-1);
  assert_true(says(p, "slower") && !p->reason);
  devices[0].type = devices[1].type = "discrete";
  cells[0].time.crowded = 1;
  assert_true(says(compare(-1), "slower"));
  cells[1].time.placements = 3;
  assert_true(!strcmp(compare(-1)->reason, "the base had memory for one placement only"));
  cells[0].time.placements = 2; /* several each, though not as many */
  assert_true(says(compare(-1), "slower"));
}

TEST_WITH(test_few_rounds, setup, teardown)
{
  add("reduce", "7_x", 0, 1000)->is_base = true;
  add("reduce", "7_x", 1, 1500)->time.samples_ns.count = 9;
  const xb_comparison *p = compare(-1);
  assert_true(p->verdict && says(p, "unclear") && strstr(p->reason, "fewer than 10 rounds"));
}

TEST_WITH(test_floors, setup, teardown)
{
  add("reduce", "9_x", 0, 5000)->is_base = true;
  add("reduce", "9_x", 1, 6000)->time.floor_ns = 1500; /* two dispatches, one after the other */
  cells[0].time.floor_ns = 500;
  for (int d = 0; d < 2; d++) {
    xb_result *floor = add("launch", "1_barriers", d, d ? 750 : 500);
    floor->yardstick = floor->floor = true;
  }
  const xb_comparison *p = compare(-1);
  assert_int_equal(comparison_count, 1);
  assert_true(p->ratio > 1.19 && p->ratio < 1.21);
  assert_true(p->ratio_less_floors > 0.9999 && p->ratio_less_floors < 1.0001); /* 6000 - (1500 - 500) */
  assert_true(p->ci95_ratio_less_floors.low <= 1 && 1 <= p->ci95_ratio_less_floors.high);
  cells[2].outcome = XB_CELL_FAILED;
  assert_true(isnan(compare(-1)->ratio_less_floors));
}

/* A cell without an exact counterpart in the other API is in no ratio and no mean. */
TEST_WITH(test_counterparts, setup, teardown)
{
  add("reduce", "9_x", 0, 500)->is_base = true;
  add("reduce", "10_x", 0, 500)->is_base = true;
  add("reduce", "11_x", 0, 500)->is_base = true;
  add("reduce", "9_x", 1, 600);
  xb_result *nearest = add("reduce", "10_x", 1, 600), *none = add("reduce", "11_x", 1, 600);
  nearest->check.counterpart = "nearest";
  none->check.counterpart = "none";
  none->outcome = XB_CELL_NO_COUNTERPART;
  const xb_comparison *p = compare(-1);
  assert_int_equal(comparison_count, 3);
  assert_true(says(&p[0], "slower"));
  assert_true(!p[1].verdict && isnan(p[1].ratio) && strstr(p[1].reason, "only the nearest counterpart"));
  assert_true(!p[2].verdict && isnan(p[2].ratio) && !strcmp(p[2].reason, "no counterpart on this side"));
  xb_means_finish(&means);
  assert_int_equal(means.count, 1);
  assert_true(means.means[0].compared == 1 && means.means[0].of == 1);
  nearest->check.counterpart = NULL; /* the same on the other side */
  cells[1].check.counterpart = "nearest";
  compare(-1);
  xb_means_finish(&means);
  assert_true(means.means[0].compared == 1 && means.means[0].of == 1);
}

/* Cells at different places of an axis are not compared. */
TEST_WITH(test_axes, setup, teardown)
{
  static const xb_at at[] = {{"offset", 0}, {"offset", 1}};
  for (int i = 0; i < 4; i++) {
    xb_result *r = add("offset", "1_x", i / 2, 500 * (1 + i % 2) * (1 + 0.1 * (i / 2)));
    r->is_base = i < 2;
    r->at.values = &at[i % 2];
    r->at.count = 1;
  }
  const xb_comparison *p = compare(-1);
  assert_int_equal(comparison_count, 2);
  for (int i = 0; i < 2; i++) {
    assert_ptr_equal(p[i].base, &cells[i]);
    assert_true(p[i].ratio > 1.09 && p[i].ratio < 1.11);
  }
}

/* A coarse timer widens the interval by its resolution. */
TEST_WITH(test_timer, setup, teardown)
{
  add("reduce", "7_x", 0, 1000)->is_base = true;
  add("reduce", "7_x", 1, 1015);
  assert_true(says(compare(-1), "slower"));
  devices[1].timestamp_period_ns = 500;
  cells[1].time.batch = 50; /* 10 ns of 1015: 1 % */
  const xb_comparison *p = compare(-1);
  assert_true(says(p, "unclear") && p->ci95_ratio.low < 1.006 && p->ci95_ratio.high > 1.024);
}

TEST_WITH(test_peaks, setup, teardown)
{
  assert_float_equal(xb_peak_gflops(90, 132, 1980000), 66908.16, 1e-6); /* H200 */
  assert_float_equal(xb_peak_gflops(80, 108, 1410000), 19491.84, 1e-6); /* A100 */
  assert_true(xb_peak_gflops(0, 132, 1980000) == 0 && xb_peak_gflops(90, 0, 1980000) == 0);
  assert_true(xb_peak_gflops(90, 132, 0) == 0 && xb_peak_gflops(200, 132, 1980000) == 0);
}

/* Either side's timer widens it, by a step for each run and repetition of a sample, and by no more than the time. */
TEST_WITH(test_timers_of_both, setup, teardown)
{
  add("reduce", "7_x", 0, 1000)->is_base = true;
  add("reduce", "7_x", 1, 1015);
  devices[0].timestamp_period_ns = 500;
  cells[0].time.batch = 50; /* 10 ns of 1000: 1 % */
  const xb_comparison *p = compare(-1);
  assert_true(says(p, "unclear") && fabs(p->ci95_ratio.low / 1.015 - 0.99) < 1e-6);
  devices[1].timestamp_period_ns = 507.5;
  cells[1].time.batch = 50;
  p = compare(-1);
  assert_true(fabs(p->ci95_ratio.low / 1.015 - 0.98) < 1e-6 && fabs(p->ci95_ratio.high / 1.015 - 1.02) < 1e-6);
  cells[0].conditions.repeats = cells[1].conditions.repeats = 10;
  p = compare(-1);
  assert_true(says(p, "slower") && fabs(p->ci95_ratio.low / 1.015 - 0.998) < 1e-6);
  devices[0].timestamp_period_ns = NAN;
  devices[1].timestamp_period_ns = 1e9;
  assert_true(compare(-1)->ci95_ratio.low == 0);
}

TEST_WITH(test_timer_and_floors, setup, teardown)
{
  add("reduce", "9_x", 0, 5000)->is_base = true;
  add("reduce", "9_x", 1, 6000)->time.floor_ns = 1500;
  cells[0].time.floor_ns = 500;
  for (int d = 0; d < 2; d++) {
    xb_result *floor = add("launch", "1_barriers", d, d ? 1500 : 500);
    floor->yardstick = floor->floor = true;
  }
  devices[0].timestamp_period_ns = 5000; /* a hundredth of 5000 in a batch of 100 */
  const xb_comparison *p = compare(-1);
  assert_true(p->ci95_ratio_less_floors.low < 0.991 && p->ci95_ratio_less_floors.high > 1.009);
}

/* A floor that the user asked for counts only if there is no yardstick, wherever it is in the list. */
TEST_WITH(test_floor_of_the_user, setup, teardown)
{
  add("reduce", "9_x", 0, 5000)->is_base = true;
  add("reduce", "9_x", 0, 6000)->time.floor_ns = 1500;
  cells[0].time.floor_ns = 500;
  add("launch", "1_barriers", 0, 500)->floor = true;
  for (int i = 0; i < ROUNDS; i++)
    samples[2][i] = i % 2 ? 900 : 100;
  const xb_interval noisy = compare(-1)->ci95_ratio_less_floors;
  assert_true(noisy.high - noisy.low > 0.1);
  xb_result *yardstick = add("launch", "1_barriers", 0, 500);
  yardstick->floor = yardstick->yardstick = true;
  const xb_interval quiet = compare(-1)->ci95_ratio_less_floors;
  assert_true(quiet.high - quiet.low < 0.01);
}

TEST_WITH(test_few_rounds_of_the_base, setup, teardown)
{
  add("reduce", "7_x", 0, 1000)->is_base = true;
  add("reduce", "7_x", 1, 1500);
  cells[0].time.samples_ns.count = 9;
  const xb_comparison *p = compare(-1);
  assert_true(says(p, "unclear") && strstr(p->reason, "fewer than 10 rounds"));
  assert_int_equal(p->rounds, 9);
  cells[0].time.samples_ns.count = 12; /* those that both have */
  p = compare(-1);
  assert_true(says(p, "slower") && p->rounds == 12);
  assert_true(p->ci95_ratio.high - p->ci95_ratio.low < 1e-6);
}

/* The reason names the side that is meant. */
TEST_WITH(test_sides_of_reasons, setup, teardown)
{
  add("reduce", "7_x", 0, 1000)->is_base = true;
  add("reduce", "7_x", 0, 500);
  for (int i = 0; i < 2; i++) {
    cells[i].launch_mode = "stream";
    cells[!i].launch_mode = "graph";
    assert_true(!strncmp(compare(-1)->reason, i ? "this side in" : "the base inc", 12));
  }
  cells[1].launch_mode = "graph";
  cells[0].launch_mode = "graph";
  static const double times[] = {0, 1e-40};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < ROUNDS; k++)
      samples[1][k] = times[i];
    const xb_comparison *p = compare(-1);
    assert_true(!p->verdict && strstr(p->reason, "some of the times are 0, or differ too much"));
  }
}

/* What stands beside a ratio: which results of the document it is of, and whether they computed the same. */
TEST_WITH(test_sides, setup, teardown)
{
  const xb_comparison *c;
  add("reduce", "7_x", 0, 1000)->is_base = true;
  add("reduce", "7_x", 1, 1000)->check.output_hash = "sum64:1";
  cells[0].check.output_hash = "sum64:1";
  assert_int_equal(compare(-1)->same_bits, 1);
  cells[0].check.output_hash = "sum64:2";
  assert_int_equal(xb_compare_results(cells, count, 7, -1, 1, &arena, &c, &comparison_count, &means, &error), XB_OK);
  assert_int_equal(c->same_bits, 0);
  assert_true(c->base_side.result == 7 && c->subject_side.result == 8);
}

/* The geometric mean of 2 and 8, with an interval of the same kind. */
TEST_WITH(test_mean, setup, teardown)
{
  for (int target = 0; target < 2; target++) {
    add("reduce", "7_x", target, target ? 2000 : 1000)->is_base = !target;
    add("reduce", "9_x", target, target ? 8000 : 1000)->is_base = !target;
  }
  compare(-1);
  xb_means_finish(&means);
  assert_int_equal(means.count, 1);
  const xb_mean *m = &means.means[0];
  assert_true(m->compared == 2 && fabs(m->ratio - 4) < 1e-6);
  assert_true(fabs(m->ci95_ratio.low - 4) < 1e-6 && fabs(m->ci95_ratio.high - 4) < 1e-6);
  assert_string_equal(m->verdict, "slower");
}
