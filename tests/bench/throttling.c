/* bench_throttling: clocks and throttling are read during the work, and only then (docs/internals/method.md). */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
  assert_int_equal(result.throttling.throttled_samples, samples);
  assert_int_equal(result.throttling.throttle.count, reason ? 1 : 0);
  assert_int_equal(result.throttling.throttle_counters, *nvml("nvmlDeviceGetViolationStatus") == 0);
  if (reason)
    assert_string_equal(result.throttling.throttle.values[0], reason);
  xb_arena_free(&arena);
}

MEASURED_TEST(test_throttled_sample)
{
  scripted_rules rules = plain;
  rules.begins = begin_work;
  rules.ends = end_work;
  measure(&rules, &usual, 2);
  expect_ok();
  expect_throttled(0, 1, "power");
  expect_throttled(1, 0, NULL);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(cells[i].samples.before.clock_mhz, IDLE_MHZ);
    assert_int_equal(cells[i].samples.lowest.clock_mhz, WORK_MHZ);
    assert_int_equal(cells[i].samples.highest.clock_mhz, WORK_MHZ);
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
MEASURED_TEST(test_host_clock)
{
  scripted_rules rules = plain;
  rules.begins = begin_work;
  rules.ends = end_any_work;
  measure_from(COPIES_BY_HOST, &rules, &usual, 1);
  expect_ok();
  assert_ns(cells[0].samples.device.median, RUN_NS + SUBMIT_NS);
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

MEASURED_TEST(test_throttling_counted)
{
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

static void sync_boost(const scripted_list *list)
{
  (void)list;
  *nvml("reasons") = 0x10;
}

/* Clocks that follow those of another GPU are not held back. */
MEASURED_TEST(test_not_held_back)
{
  scripted_rules rules = plain;
  rules.begins = sync_boost;
  measure(&rules, &usual, 1);
  expect_ok();
  expect_throttled(0, 0, NULL);
}

/* ---- Several GPUs ----------------------------------------------------------------------------------------------- */

static void take_none(xb_workload *w, xb_cell *measured)
{
  (void)w;
  measured[1].monitor = NULL;
}

static xb_monitor *other;

static void take_other(xb_workload *w, xb_cell *measured)
{
  (void)w;
  measured[1].monitor = other = xb_monitor_open(measured[1].c.device);
}

/* Clocks and throttling are those of the cell's own GPU. */
MEASURED_TEST(test_unknown_gpu)
{
  scripted_rules rules = plain;
  rules.begins = begin_work;
  rules.ends = end_work;
  measured_change = take_none;
  measure(&rules, &usual, 2);
  measured_change = NULL;
  expect_ok();
  expect_throttled(0, 1, "power");
  assert_true(cells[0].samples.before.known && cells[0].samples.lowest.known && cells[0].samples.after.known);
  assert_false(cells[1].samples.before.known || cells[1].samples.lowest.known || cells[1].samples.highest.known ||
               cells[1].samples.after.known);
  assert_int_equal(cells[1].samples.throttle, 0);
}

static void count_in_second(const scripted_list *list)
{
  begin_work(list);
  *nvml("policy 01") += seen.rounds == SLOW_ROUND && list->kernel == 2;
}

/* A sample of one GPU explains what that GPU's counter saw, and not what another one's did. */
MEASURED_TEST(test_two_gpus)
{
  scripted_rules rules = plain;
  rules.begins = count_in_second;
  rules.ends = end_work;
  measured_change = take_other;
  measure(&rules, &usual, 2);
  measured_change = NULL;
  expect_ok();
  expect_throttled(0, 1, "power");
  expect_throttled(1, 0, "thermal");
  xb_monitor_close(other);
}

/* ---- Clocks ----------------------------------------------------------------------------------------------------- */

static size_t full_looks;

static void begin_slower(const scripted_list *list)
{
  begin_work(list);
  *nvml("clock") = WORK_MHZ - (seen.rounds == SLOW_ROUND ? 30 : 0) + (seen.rounds == SLOW_ROUND + 1 ? 15 : 0);
}

static void count_looks(const scripted_list *list)
{
  full_looks += *nvml("calls") - calls > 1; /* throttling alone takes one */
  note_list(list);
}

/* The extremes of all samples; the clocks are asked for once a round, throttling for each sample. */
MEASURED_TEST(test_clocks)
{
  scripted_rules rules = plain;
  rules.begins = begin_slower;
  rules.ends = count_looks;
  full_looks = 0;
  measure(&rules, &usual, 2);
  expect_ok();
  for (int i = 0; i < 2; i++) {
    assert_int_equal(cells[i].samples.lowest.clock_mhz, WORK_MHZ - 30);
    assert_int_equal(cells[i].samples.highest.clock_mhz, WORK_MHZ + 15);
  }
  assert_int_equal(full_looks, seen.rounds);
}

static void lose_counters(const scripted_list *list)
{
  note_list(list);
  if (seen.rounds == SLOW_ROUND)
    *nvml("nvmlDeviceGetViolationStatus") = NOT_SUPPORTED;
}

/* Counters say that nothing was throttled only if they were read before and after. */
MEASURED_TEST(test_counters_get_lost)
{
  scripted_rules rules = plain;
  rules.ends = lose_counters;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_true(cells[0].samples.before.counters_known && !cells[0].samples.after.counters_known);
  expect_throttled(0, 0, NULL);
}

TEST_SOURCE(.begin = measured_begin, .end = measured_end);
