/* Pairs, verdicts and floors of made-up cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "benchmarks/table.h"
#include "measure/comparison.h"

enum { ROUNDS = 30, MAX_CELLS = 8 };

static xb_device_info devices[2];
static xb_workload workloads[2];
static double samples[MAX_CELLS][ROUNDS], host[MAX_CELLS][ROUNDS];
static xb_cell cells[MAX_CELLS];
static size_t count;
static xb_comparison comparison;
static xb_error error;

static int setup(void **state)
{
  (void)state;
  count = 0;
  memset(cells, 0, sizeof cells);
  for (int d = 0; d < 2; d++)
    devices[d] = (xb_device_info){.backend = d ? "vulkan" : "cuda", .type = XB_DEVICE_DISCRETE};
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  xb_comparison_free(&comparison);
  return 0;
}

/* Samples near `ns`, with a part per thousand of noise that depends on the round and not on the cell. */
static xb_cell *add(const char *benchmark, const char *name, int target, double ns)
{
  double scratch[ROUNDS];
  xb_cell *cell = &cells[count];
  const xb_variant *v = xb_variant_find(benchmark, name);
  for (int i = 0; i < ROUNDS; i++)
    samples[count][i] = host[count][i] = ns * (1 + 0.001 * (i * 7 % 11 - 5) / 5.0);
  *cell = (xb_cell){.c = {.variant = v, .device = &devices[target]},
                    .workload = &workloads[target],
                    .batch = 100,
                    .placements = 1,
                    .samples_ns = samples[count],
                    .host_ns = host[count],
                    .sample_count = ROUNDS,
                    .outcome = XB_CELL_OK};
  cell->device = xb_statistics(cell->samples_ns, ROUNDS, 1, scratch);
  count++;
  return cell;
}

static const xb_pair *compare(double margin)
{
  xb_comparison_free(&comparison);
  assert_int_equal(xb_compare_cells(cells, count, margin, 1, &comparison, &error), XB_OK);
  return comparison.pairs;
}

static void test_apis(void **state)
{
  (void)state;
  add("reduce", "7", 0, 1000)->base = true;
  add("reduce", "9", 0, 500)->base = true;
  add("reduce", "7", 1, 1050);
  add("reduce", "9", 1, 450);
  const xb_pair *p = compare(-1);
  assert_int_equal(comparison.count, 2);
  assert_ptr_equal(p[0].base, &cells[0]); /* each its own variant */
  assert_ptr_equal(p[1].base, &cells[1]);
  assert_true(p[0].verdict == XB_SLOWER && p[1].verdict == XB_FASTER);
  assert_true(p[0].ratio > 1.0499 && p[0].ratio < 1.0501);
  assert_true(p[0].interval.low <= p[0].ratio && p[0].ratio <= p[0].interval.high);
  assert_true(p[0].interval.high - p[0].interval.low < 1e-6); /* the rounds' noise cancels */
  assert_true(p[0].margin == 0.01 && p[0].ratio_less_floors == 0);
}

static void test_variants(void **state)
{
  (void)state;
  add("reduce", "9", 0, 500);
  add("reduce", "cub", 0, 505)->base = true;
  add("reduce", "9", 1, 600);
  xb_cell *elsewhere = add("reduce", "cub", 1, 1);
  elsewhere->base = true;
  elsewhere->outcome = XB_CELL_UNSUPPORTED;
  const xb_pair *p = compare(0);
  assert_int_equal(comparison.count, 2);
  assert_ptr_equal(p[0].base, &cells[1]);
  assert_ptr_equal(p[1].base, &cells[1]); /* there is none on its own side */
  assert_true(p[0].verdict == XB_FASTER && p[1].verdict == XB_SLOWER);
  p = compare(0.02);
  assert_true(p[0].verdict == XB_SAME);
}

static void test_itself(void **state)
{
  (void)state;
  add("reduce", "9", 0, 500);
  add("reduce", "9", 0, 500)->base = true;
  const xb_pair *p = compare(-1);
  assert_int_equal(comparison.count, 1);
  assert_true(p[0].verdict == XB_SAME && p[0].ratio == 1);
}

static void test_failed(void **state)
{
  (void)state;
  add("reduce", "7", 0, 1000)->base = true;
  add("reduce", "7", 1, 1000)->outcome = XB_CELL_WRONG;
  const xb_pair *p = compare(-1);
  assert_true(!p[0].compared && !strcmp(p[0].reason, "no result on this side"));
  cells[1].outcome = XB_CELL_OK;
  cells[0].outcome = XB_CELL_FAILED;
  p = compare(-1);
  assert_true(!p[0].compared && !strcmp(p[0].reason, "no result on the base"));
  cells[0].base = false;
  p = compare(-1);
  assert_int_equal(comparison.count, 2);
  assert_true(!p[1].compared && !p[1].base && !strcmp(p[1].reason, "no result on any other side"));
}

static void test_throttled(void **state)
{
  (void)state;
  add("reduce", "7", 0, 1000)->base = true;
  add("reduce", "7", 1, 1500);
  assert_true(compare(-1)->verdict == XB_SLOWER);
  cells[1].throttle = XB_THROTTLE_POWER;
  const xb_pair *p = compare(-1);
  assert_true(p->verdict == XB_UNCLEAR && !strcmp(p->reason, "this side was throttled"));
  cells[0].throttle = XB_THROTTLE_THERMAL; /* both were: fair again */
  assert_true(compare(-1)->verdict == XB_SLOWER);
  cells[1].throttle = 0;
  assert_true(!strcmp(compare(-1)->reason, "the base was throttled"));
}

/* One place tells nothing of the others, so it is not held against the mean of several. */
static void test_crowded(void **state)
{
  (void)state;
  add("reduce", "9", 0, 1000)->base = true;
  add("reduce", "9", 1, 2000);
  cells[0].placements = 3;
  cells[1].crowded = true;
  const xb_pair *p = compare(-1);
  assert_true(p->verdict == XB_UNCLEAR && !strcmp(p->reason, "this side had memory for one placement only"));
  cells[0].placements = 1; /* the base never takes more */
  assert_true(compare(-1)->verdict == XB_SLOWER);
  cells[0].crowded = true;
  assert_true(compare(-1)->verdict == XB_SLOWER);
  cells[1].crowded = false;
  cells[1].placements = 3;
  assert_true(!strcmp(compare(-1)->reason, "the base had memory for one placement only"));
}

static void test_few_rounds(void **state)
{
  (void)state;
  add("reduce", "7", 0, 1000)->base = true;
  add("reduce", "7", 1, 1500)->sample_count = 9;
  const xb_pair *p = compare(-1);
  assert_true(p->compared && p->verdict == XB_UNCLEAR && strstr(p->reason, "fewer than 10 rounds"));
}

static void test_floors(void **state)
{
  (void)state;
  add("reduce", "9", 0, 5000)->base = true;
  xb_cell *subject = add("reduce", "9", 1, 6000);
  /* Two dispatches, one after the other. */
  xb_step steps[] = {{.kind = XB_STEP_DISPATCH}, {.kind = XB_STEP_BARRIER}, {.kind = XB_STEP_DISPATCH}};
  subject->plan.steps = steps;
  subject->plan.step_count = 3;
  add("launch", "1", 0, 500)->yardstick = true;
  add("launch", "1", 1, 750)->yardstick = true;
  assert_true(xb_floor_ns(cells, count, &cells[0]) == 500);
  assert_true(xb_floor_ns(cells, count, &cells[1]) == 1500);
  assert_true(xb_floor_ns(cells, count, &cells[2]) == 0);
  const xb_pair *p = compare(-1);
  assert_int_equal(comparison.count, 1);
  assert_true(p->ratio > 1.19 && p->ratio < 1.21);
  assert_true(p->ratio_less_floors > 0.9999 && p->ratio_less_floors < 1.0001); /* 6000 - (1500 - 500) */
  assert_true(p->interval_less_floors.low <= 1 && 1 <= p->interval_less_floors.high);
  cells[2].outcome = XB_CELL_FAILED;
  assert_true(compare(-1)->ratio_less_floors == 0);
}

/* A coarse timer widens the interval by what it cannot tell. */
static void test_timer(void **state)
{
  (void)state;
  add("reduce", "7", 0, 1000)->base = true;
  add("reduce", "7", 1, 1015);
  assert_true(compare(-1)->verdict == XB_SLOWER);
  devices[1].timestamp_period_ns = 500;
  cells[1].batch = 50; /* 10 ns of 1015: 1 % */
  const xb_pair *p = compare(-1);
  assert_true(p->verdict == XB_UNCLEAR && p->interval.low < 1.006 && p->interval.high > 1.024);
}

int main(void)
{
#define XB_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      XB_TEST(test_apis),       XB_TEST(test_variants),  XB_TEST(test_itself),
      XB_TEST(test_failed),     XB_TEST(test_throttled), XB_TEST(test_crowded),
      XB_TEST(test_few_rounds), XB_TEST(test_floors),    XB_TEST(test_timer),
  };
  return cmocka_run_group_tests_name("comparison", tests, NULL, NULL);
}
