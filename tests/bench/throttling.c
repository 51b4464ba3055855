/* bench_throttling: clocks and throttling are read during the work, and only then (docs/measuring.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measured.h"

enum { NOT_SUPPORTED = 3, IDLE = 0x1, POWER_CAP = 0x4, SLOW_ROUND = 5, IDLE_MHZ = 345, WORK_MHZ = 1980 };

/* Clocks rise for work. In one round the power limit holds back kernel 1: nothing says so as soon as the GPU idles. */
static unsigned long long calls;
static void begin_work(const scripted_list *list)
{
  calls = *nvml("calls");
  *nvml("clock") = WORK_MHZ;
  *nvml("reasons") = seen.rounds == SLOW_ROUND && list->timed && list->kernel == 1 ? POWER_CAP : 0;
}

static void end_work(const scripted_list *list)
{
  seen.looked[seen.count] = *nvml("calls") > calls;
  note_list(list);
  *nvml("clock") = IDLE_MHZ;
  *nvml("reasons") = IDLE;
}

static void expect_throttled(size_t cell, int64_t samples, const char *reason)
{
  xb_arena arena = {0};
  const xb_result result = result_of(cell, &arena);
  assert_int_equal(result.throttled_samples, samples);
  assert_int_equal(result.throttle.count, reason ? 1 : 0);
  assert_int_equal(result.throttle_counters, *nvml("nvmlDeviceGetViolationStatus") == 0);
  if (reason)
    assert_string_equal(result.throttle.values[0], reason);
  xb_arena_free(&arena);
}

static void test_throttled_sample(void **state)
{
  (void)state;
  scripted_rules rules = plain;
  rules.begins = begin_work;
  rules.ends = end_work;
  measure(&rules, &usual, 2);
  expect_ok();
  expect_throttled(0, 1, "power");
  expect_throttled(1, 0, NULL);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(cells[i].before.clock_mhz, IDLE_MHZ);
    assert_int_equal(cells[i].lowest.clock_mhz, WORK_MHZ);
    assert_int_equal(cells[i].highest.clock_mhz, WORK_MHZ);
  }
  for (size_t i = seen.warm_up_ends[0]; i < seen.count; i++) /* only the first of two submissions */
    assert_true(seen.looked[i] == !((i - seen.warm_up_ends[0]) % 2));
}

static void end_any_work(const scripted_list *list)
{
  scripted_list noted = *list;
  noted.timed = true;
  end_work(&noted);
}

/* Where the host times a run, the run before comes right before it. */
static void test_host_clock(void **state)
{
  (void)state;
  scripted_rules rules = plain;
  rules.begins = begin_work;
  rules.ends = end_any_work;
  measure_from(COPIES_BY_HOST, &rules, &usual, 1);
  expect_ok();
  assert_ns(cells[0].device.median, RUN_NS + SUBMIT_NS);
  for (size_t round = 0; round < seen.rounds; round++) {
    const size_t i = (size_t)(round_of(round) - seen.lists);
    assert_int_equal(seen.round_ends[round] - i, 3);
    assert_true(seen.looked[i] && !seen.looked[i + 1] && !seen.looked[i + 2]);
  }
}

/* Throttling that only the driver's counter has seen is of no cell, and so of all. */
static void count_throttling(const scripted_list *list)
{
  note_list(list);
  *nvml("policy 01") += seen.rounds == SLOW_ROUND;
}

static void test_throttling_counted(void **state)
{
  (void)state;
  scripted_rules rules = plain;
  measure(&rules, &usual, 2);
  expect_throttled(0, 0, NULL);
  rules.ends = count_throttling;
  measure(&rules, &usual, 2);
  expect_ok();
  expect_throttled(0, 0, "thermal");
  expect_throttled(1, 0, "thermal");
  *nvml("nvmlDeviceGetViolationStatus") = NOT_SUPPORTED; /* as in a virtual machine */
  measure(&rules, &usual, 2);
  expect_throttled(0, 0, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      MEASURED_TEST(test_throttled_sample),
      MEASURED_TEST(test_host_clock),
      MEASURED_TEST(test_throttling_counted),
  };
  return measured_run("throttling", tests, sizeof tests / sizeof *tests);
}
