/* bench_measuring: what is done to measure (docs/internals/method.md), with times and kernels that the test decides.
 * Each test fails if a part of it is left out. */
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "measured.h"

/* ---- Times ------------------------------------------------------------------------------------------------------ */

/* Device time is from the timestamps. Host time has what submitting costs, once for each batch. */
MEASURED_TEST(test_two_clocks)
{
  measure(&plain, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 50); /* 5 ms */
  for (size_t i = 0; i < cells[0].samples.count; i++) {
    assert_ns(cells[0].samples.ns[i], RUN_NS);
    assert_ns(cells[0].samples.host_ns[i], RUN_NS + SUBMIT_NS / 50);
  }
  assert_ns(cells[0].samples.device.median, RUN_NS);
  assert_ns(cells[0].samples.host.median, RUN_NS + SUBMIT_NS / 50);
}

static double reported_ns;

static double report(double ns)
{
  (void)ns;
  return reported_ns;
}

static double shortest(const scripted_list *list)
{
  (void)list;
  return 1e3;
}

/* A driver that reports what cannot be: a cell without a time, and a message; whatever it reported, a file can have. */
MEASURED_TEST(test_impossible_times)
{
  static const double impossible[] = {-1, -1e12, 1e19, 1e9, NAN, INFINITY, -INFINITY};
  xb_arena arena = {0};
  scripted_rules rules = plain;
  rules.reports_ns = report;
  for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
    reported_ns = impossible[i];
    measure(&rules, &usual, 1);
    assert_int_equal(cells[0].verdict.outcome, XB_CELL_FAILED);
    assert_non_null(strstr(cells[0].verdict.error.message, "the driver"));
    const xb_result result = result_of(0, &arena);
    assert_true(isnan(result.time.median_ns) && !result.time.samples_ns.count);
  }
  reported_ns = 0; /* as short as this, it might be so by the host's clock */
  rules.run_ns = shortest;
  measure(&rules, &usual, 1);
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_WRONG);
  assert_int_equal(result_of(0, &arena).time.samples_ns.count, 0);
  rules.submit_ns = 2e10; /* the host waits for 20 s, and nothing that takes 1 ns explains it */
  reported_ns = 1;
  measure(&rules, &usual, 1);
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_FAILED);
  xb_arena_free(&arena);
}

/* What ran before makes the first of two submissions slower. */
static double lingering(const scripted_list *list)
{
  return list->again ? RUN_NS : 1.1 * RUN_NS;
}

MEASURED_TEST(test_second_submission)
{
  scripted_rules rules = plain;
  rules.run_ns = lingering;
  measure(&rules, &usual, MEASURED_CELLS);
  expect_ok();
  for (size_t c = 0; c < MEASURED_CELLS; c++)
    for (size_t i = 0; i < cells[c].samples.count; i++)
      assert_ns(cells[c].samples.ns[i], RUN_NS);
  for (size_t round = 1; round < seen.rounds; round++) { /* the first may begin with the list that warm-up ended with */
    const scripted_list *list = round_of(round);
    assert_int_equal(&seen.lists[seen.round_ends[round]] - list, 2 * MEASURED_CELLS);
    for (int i = 0; i < 2 * MEASURED_CELLS; i++)
      assert_true(list[i].again == i % 2 && list[i].runs == cells[0].samples.batch);
  }
}

/* A CPU keeps nothing of what ran before: one submission. */
MEASURED_TEST(test_cpu)
{
  scripted_rules rules = plain;
  rules.type = XB_DEVICE_CPU;
  measure(&rules, &usual, 2);
  expect_ok();
  assert_int_equal(cells[0].buffers.placements, 1);
  for (size_t round = 0; round < seen.rounds; round++)
    assert_int_equal(&seen.lists[seen.round_ends[round]] - round_of(round), 2);
}

/* Placements differ by 1 % each. Of three samples of a placement one is 5 % slow, and one is 1 % fast. */
static double uneven(const scripted_list *list)
{
  static const double parts[] = {1, 1.05, 0.99};
  const uint32_t placements = cells[0].buffers.placements ? cells[0].buffers.placements : 1;
  return (RUN_NS + 1e3 * list->placement) * parts[seen.rounds / placements % 3];
}

/* The mean over placements of the median of each, of both clocks; with one placement, the median. */
MEASURED_TEST(test_statistic)
{
  xb_arena arena = {0};
  for (int cpu = 0; cpu < 2; cpu++) {
    scripted_rules rules = plain;
    rules.run_ns = uneven;
    rules.type = cpu ? XB_DEVICE_CPU : XB_DEVICE_DISCRETE;
    const double expected = cpu ? RUN_NS : RUN_NS + 3.5e3;
    measure(&rules, &usual, 1);
    expect_ok();
    assert_int_equal(cells[0].buffers.placements, cpu ? 1 : 8);
    const xb_result result = result_of(0, &arena);
    assert_ns(cells[0].samples.device.median, expected);
    assert_ns(result.time.median_ns, expected);
    assert_ns(result.time.host_ns, expected + SUBMIT_NS / cells[0].samples.batch);
    assert_true(cells[0].samples.device.minimum < 0.9901 * RUN_NS && cells[0].samples.device.maximum > 1.0499 * RUN_NS);
  }
  xb_arena_free(&arena);
}

/* Every second placement is 10 % slower. Inside each there is noise of 0.1 %, and one sample is 20 % slower. */
static double with_outlier(const scripted_list *list)
{
  static const double noise[] = {1, 1.001, 0.999};
  return RUN_NS * (list->placement % 2 ? 1.1 : 1) * (seen.rounds == 9 ? 1.2 : noise[seen.rounds / 8 % 3]);
}

/* What placements differ by is no spread, and does not hide an outlier. */
MEASURED_TEST(test_outliers)
{
  scripted_rules rules = plain;
  rules.run_ns = with_outlier;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.device.outliers, 1);
  assert_true(cells[0].samples.device.spread > 0 && cells[0].samples.device.spread < 0.003 * RUN_NS);
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

/* Measures three cells; writes the order of each round as a number of three digits. */
static void orders_of(uint64_t seed, int orders[24])
{
  xb_sampling as = usual;
  as.seed = seed;
  measure(&plain, &as, MEASURED_CELLS);
  expect_ok();
  for (size_t round = 0; round < 24; round++) {
    const scripted_list *list = round_of(round);
    orders[round] = 100 * list[0].kernel + 10 * list[2].kernel + list[4].kernel;
  }
}

/* In each round all cells, in an order of its own that follows from the seed. */
MEASURED_TEST(test_order)
{
  static const int all[] = {123, 132, 213, 231, 312, 321};
  int first[24], again[24], other[24], found = 0;
  orders_of(1, first);
  orders_of(1, again);
  orders_of(2, other);
  for (int i = 0; i < 6; i++) {
    bool there = false;
    for (int round = 0; round < 24; round++)
      there = there || first[round] == all[i];
    found += there;
  }
  assert_int_equal(found, 6);
  assert_memory_equal(first, again, sizeof first);
  assert_memory_not_equal(first, other, sizeof first);
}

/* Rounds in turn use all placements, which the first samples of warming up touch, too. */
MEASURED_TEST(test_warm_up)
{
  measure(&plain, &usual, 2);
  expect_ok();
  assert_int_equal(seen.warm_ups, 7 + 6); /* seven placements, then two windows of three rounds of the first */
  assert_int_equal(cells[0].samples.warm_up_rounds, seen.warm_ups);
  assert_true(cells[0].samples.warm && cells[1].samples.warm);
  for (size_t k = 1; k < seen.warm_ups; k++) {
    const scripted_list *list = &seen.lists[seen.warm_up_ends[k - 1]];
    assert_int_equal(seen.warm_up_ends[k] - seen.warm_up_ends[k - 1], 2 * 2);
    assert_int_equal(list->placement, k < 7 ? 7 - k : 0);
  }
  for (size_t round = 0; round < seen.rounds; round++)
    assert_int_equal(round_of(round)->placement, round % 8);
}

/* Each placement of a small output has an allocation of its own, of a page or more. */
MEASURED_TEST(test_pages)
{
  measure(&plain, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].buffers.placements, 8);
  const xb_placement *outputs = &cells[0].buffers.placed[8]; /* slot 1 */
  for (int p = 0; p < 8; p++) {
    assert_true(xb_buffer_bytes(outputs[p].buffer) >= 2 << 20);
    for (int k = 0; k < p; k++)
      assert_true(xb_buffer_native(outputs[p].buffer) != xb_buffer_native(outputs[k].buffer));
  }
}

/* Falls by 1 % a round until round 20, or rises without end. */
static double falling(const scripted_list *list)
{
  (void)list;
  return RUN_NS * (seen.warm_ups < 20 ? 1.2 - 0.01 * (double)seen.warm_ups : 1);
}

static double rising(const scripted_list *list)
{
  (void)list;
  return RUN_NS * (1 + 0.02 * (double)seen.warm_ups);
}

/* Falls by less than counts as a change, without end. */
static double creeping(const scripted_list *list)
{
  (void)list;
  return RUN_NS * (1 - 0.002 * (double)seen.warm_ups);
}

/* One run takes ten times as long as a sample should. */
static double slow(const scripted_list *list)
{
  (void)list;
  return 500 * RUN_NS;
}

/* Nothing, and then three rounds that go up and down by more than they differ from those before. */
static double restless(const scripted_list *list)
{
  static const double last[] = {0.9, 1.1, 1.06};
  (void)list;
  return RUN_NS * (seen.warm_ups >= 10 && seen.warm_ups < 13 ? last[seen.warm_ups - 10] : 1);
}

MEASURED_TEST(test_warm_up_until_settled)
{
  scripted_rules rules = plain;
  xb_sampling patient = usual, hasty = usual;
  patient.max_time_s = 2;
  rules.run_ns = falling;
  measure(&rules, &patient, 1);
  assert_true(seen.warm_ups >= 23 && seen.warm_ups <= 26 && cells[0].samples.warm);
  rules.run_ns = restless;
  measure(&rules, &patient, 1);
  assert_true(seen.warm_ups > 13 && cells[0].samples.warm);
  rules.run_ns = creeping;
  measure(&rules, &patient, 1);
  assert_int_equal(seen.warm_ups, cells[0].buffers.placements + 5);
  assert_true(cells[0].samples.warm);
  rules.run_ns = rising;
  measure(&rules, &patient, 1);
  assert_int_equal(seen.warm_ups, 30);
  assert_false(cells[0].samples.warm);
  hasty.max_time_s = 0.1; /* a quarter of this is three rounds of 10 ms, which cannot show whether times settled */
  measure(&plain, &hasty, 1);
  assert_int_equal(seen.warm_ups, cells[0].buffers.placements + 5);
  assert_true(cells[0].samples.warm);
  rules.run_ns = slow;
  measure(&rules, &hasty, 1);
  assert_int_equal(seen.warm_ups, 2);
  assert_false(cells[0].samples.warm);
}

static double rested_until_ns;

/* At low clocks a run takes 2.4 times as long, each the same, until the device has worked for 0.36 s. */
static double after_a_rest(const scripted_list *list)
{
  (void)list;
  return scripted_clock_ns() < rested_until_ns ? 2.4 * RUN_NS : RUN_NS;
}

static void rest_at_first(xb_workload *w, xb_cell *of)
{
  (void)w, (void)of;
  rested_until_ns = scripted_clock_ns() + 0.36e9;
}

MEASURED_TEST(test_low_clocks_after_a_rest)
{
  scripted_rules rules = plain;
  xb_sampling hasty = usual;
  hasty.max_time_s = 0.1;
  rules.run_ns = after_a_rest;
  measured_change = rest_at_first;
  measure(&rules, &hasty, 1);
  measured_change = NULL;
  expect_ok();
  assert_ns(cells[0].samples.device.median, RUN_NS);
  assert_ns(cells[0].samples.device.ci95_high, RUN_NS);
}

/* ---- Right to the end ------------------------------------------------------------------------------------------- */

/* Right when it is verified, before and after; wrong in samples of placement 5. */
static void wrong_in_samples(const uint32_t group[3], const uint32_t groups[3], void *const *bindings,
                             const uint64_t *sizes, const void *args)
{
  copies_run(group, groups, bindings, sizes, args);
  if (seen.rounds && scripted_now() && scripted_now()->timed && scripted_now()->placement == 5)
    ((uint32_t *)bindings[1])[7]++;
}

MEASURED_TEST(test_wrong_in_samples)
{
  copies_kernel = wrong_in_samples;
  measure(&plain, &usual, 1);
  copies_kernel = copies_run;
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_WRONG);
  assert_false(cells[0].verdict.verified);
  assert_int_equal(cells[0].verdict.rechecked_runs, 0);
}

static double short_run(const scripted_list *list)
{
  (void)list;
  return 1e3;
}

static bool sometimes(const scripted_list *list)
{
  static int count;
  return list->timed && ++count % 5 == 0;
}

static bool always(const scripted_list *list)
{
  return list->timed;
}

/* A held sample that was not held is taken again. The host's time to issue it is kept. */
MEASURED_TEST(test_held)
{
  enum { STEPS = 500 };
  static const double SHORT_NS = 1e3, ISSUE_NS = 20e3;
  scripted_rules rules = plain;
  rules.held = true;
  rules.issue_ns = ISSUE_NS;
  rules.expired = sometimes;
  rules.run_ns = short_run;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, STEPS); /* 5 ms of such runs would be 5000 */
  for (size_t i = 0; i < cells[0].samples.count; i++)
    assert_ns(cells[0].samples.ns[i], SHORT_NS);
  assert_ns(cells[0].samples.issue.median, ISSUE_NS / STEPS);
  rules.expired = always;
  measure(&rules, &usual, 1);
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_FAILED);
  assert_non_null(
      strstr(cells[0].verdict.error.message, "did not issue the 1 runs of a sample within 100 ms, 3 times"));
}

/* 8000 bytes in 5 us, of which a cache of 3900 can hold almost a half, and a memory that moves 1 byte in a
 * nanosecond. */
static double rapid_run(const scripted_list *list)
{
  (void)list;
  return 5e3;
}

static double impossible_run(const scripted_list *list)
{
  (void)list;
  return 3e3;
}

/* A rate is impossible only if the memory has to have it: not what a cache holds, nor what is read again. */
MEASURED_TEST(test_memory_rate)
{
  xb_arena arena = {0};
  scripted_rules rules = plain;
  rules.cache_bytes = 3900;
  rules.memory_gbps = 1;
  rules.run_ns = rapid_run;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_ns(result_of(0, &arena).rates.percent_of_peak, 160);
  measure_from(COPIES_AGAIN, &rules, &usual, 1);
  expect_ok();
  assert_true(isnan(result_of(0, &arena).rates.percent_of_peak));
  rules.run_ns = impossible_run;
  for (uint32_t kernel = 1; kernel <= COPIES_AGAIN; kernel += COPIES_AGAIN - 1) {
    measure_from(kernel, &rules, &usual, 1);
    assert_int_equal(cells[0].verdict.outcome, XB_CELL_WRONG);
    assert_non_null(strstr(cells[0].verdict.error.message, "1 GB/s, but the memory moves at most 1 GB/s"));
  }
  xb_arena_free(&arena);
}

static volatile sig_atomic_t stop;
/* The first cell's times scatter by 10 %, those of the others not at all. */
static double one_scatters(const scripted_list *list)
{
  static uint64_t random = 1;
  return list->kernel == 1 ? RUN_NS * (1 + 0.1 * (double)(xb_random(&random) >> 11) * 0x1p-53) : RUN_NS;
}

/* Cells that nothing compares end each by itself; those of a comparison have the same rounds. */
MEASURED_TEST(test_ends)
{
  scripted_rules rules = plain;
  xb_sampling as = usual;
  rules.run_ns = one_scatters;
  for (int together = 0; together < 2; together++) {
    as.together = together;
    measure(&rules, &as, MEASURED_CELLS);
    expect_ok();
    const xb_cell *scatters = cells;
    while (scatters->samples.device.spread < 0.01 * RUN_NS)
      scatters++;
    assert_string_equal(scatters->samples.stopped_by, "time limit");
    for (const xb_cell *cell = cells; cell < cells + MEASURED_CELLS; cell++)
      if (cell != scatters) {
        assert_string_equal(cell->samples.stopped_by, "interval");
        assert_int_equal(cell->samples.count, together ? scatters->samples.count : 24);
      }
    assert_true(scatters->samples.count > 40);
  }
}

static size_t stop_round;

static void stop_in_round(const scripted_list *list)
{
  note_list(list);
  stop = stop || seen.rounds == stop_round;
}

/* After Ctrl-C, a cell counts if its samples are enough for an interval, even if it is not done. */
MEASURED_TEST(test_interrupted)
{
  for (size_t rounds = 3; rounds < 10; rounds++) {
    scripted_rules rules = plain;
    xb_sampling as = usual;
    rules.ends = stop_in_round;
    as.stop = &stop;
    stop = 0;
    stop_round = rounds;
    measure(&rules, &as, MEASURED_CELLS);
    for (int i = 0; i < MEASURED_CELLS; i++) {
      assert_true(cells[i].samples.count == rounds || cells[i].samples.count == rounds + 1);
      assert_int_equal(cells[i].verdict.outcome, cells[i].samples.count < 6 ? XB_CELL_INTERRUPTED : XB_CELL_OK);
      assert_string_equal(cells[i].samples.stopped_by, "interrupted");
    }
  }
}

TEST_SOURCE(.begin = measured_begin, .end = measured_end);
