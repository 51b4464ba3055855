/* bench_sampling: what is taken off a time, what is done before one, and when one cannot be (docs/internals/method.md),
 * with times and kernels that the test decides. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "copying.h"
#include "judge/judge.h"
#include "measured.h"

static double short_run(const scripted_list *list)
{
  (void)list;
  return 1e3;
}

/* ---- Cold ------------------------------------------------------------------------------------------------------- */

enum { FLUSH_WORDS = 1024 };
static uint64_t flushes;

static void read_all(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                     const void *args)
{
  (void)group, (void)groups, (void)bindings, (void)args;
  flushes += sizes[0] == FLUSH_WORDS * 4;
}

/* In place of reduce/9, which the host has no code of: a kernel that says what it was given. */
static void make_cold(xb_workload *w, xb_cell *measured)
{
  const host_code code = {
      .run = read_all, .group_size = {1, 1, 1}, .used_bindings = 1, .read_only_bindings = 1, .entry = "9"};
  const xb_buffer_desc desc = {.label = "flush", .bytes = FLUSH_WORDS * 4};
  xb_kernel_desc kernel = {.label = "flush", .group_size = {1, 1, 1}, .binding_count = 1};
  xb_sum *sum = &w->flushing;
  xb_error error;
  sum->c = measured[0].c;
  xb_plan_slot_with(&sum->plan, .name = "data", .role = XB_ROLE_INPUT, .bytes = desc.bytes);
  xb_plan_kernel_of(&sum->plan, (xb_plan_kernel){.name = NULL});
  xb_step_bind(xb_plan_dispatch(&sum->c, &sum->plan, 1), 0, 0, desc.bytes, XB_READ);
  host_describe(code, &kernel);
  assert_int_equal(xb_buffer_create(w->device, &desc, &w->flush, &error), XB_OK);
  if (xb_kernel_create(w->device, &kernel, &sum->kernel, &error))
    fail_msg("%s", error.message);
  sum->buffers[0] = w->flush;
  flushes = 0;
  measured[0].cache = XB_CACHE_COLD;
}

/* Before each run, all of the memory that flushes is read, and that is not timed. Nothing is written. */
OWN_TEST(test_cold)
{
  measured_change = make_cold;
  measure(&plain, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 1);
  assert_true(seen.count > 0 && flushes >= seen.count);
  for (size_t i = 0; i < seen.count; i++) {
    assert_int_equal(seen.lists[i].before, 1);
    assert_int_equal(seen.lists[i].runs, 1);
    assert_int_equal(seen.lists[i].fills, 0);
  }
}

static double run_periods;

static double few_periods(const scripted_list *list)
{
  (void)list;
  return run_periods * own.info.timestamp_period_ns;
}

static void make_cold_and_coarse(xb_workload *w, xb_cell *measured)
{
  make_cold(w, measured);
  measured_take_own(measured);
  own.info.timestamp_period_ns = 100;
}

/* A single run is at least 20 steps of the timer. */
OWN_TEST(test_cold_and_short)
{
  scripted_rules rules = plain;
  xb_sampling as = usual;
  as.min_time_s = 1e-5;
  rules.run_ns = few_periods;
  measured_change = make_cold_and_coarse;
  for (run_periods = 19; run_periods <= 20; run_periods++) {
    measure(&rules, &as, 1);
    assert_int_equal(cells[0].verdict.outcome, run_periods < 20 ? XB_CELL_UNSUPPORTED : XB_CELL_OK);
  }
}

/* ---- Calibrating ------------------------------------------------------------------------------------------------ */

/* Single runs wake the device for 10 ms of the host's time. */
OWN_TEST(test_wake_up)
{
  size_t single = 0;
  measure(&plain, &usual, 1);
  expect_ok();
  for (size_t i = 0; i < seen.count; i++)
    single += seen.lists[i].runs == 1;
  assert_int_equal(single, 2 * (size_t)ceil(10e6 / (RUN_NS + SUBMIT_NS)));
}

/* Ten samples fit into the time limit. */
OWN_TEST(test_short_limit)
{
  xb_sampling as = usual;
  as.max_time_s = 0.02;
  as.min_time_s = 0.001;
  measure(&plain, &as, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 20);
}

/* The kernel is told how often it repeats its work. */
static xb_code plan_repeats(const xb_case *c, xb_plan *made, xb_error *err)
{
  (void)err;
  return copying_plan(c, made, NULL, 1, XB_READ, &c->repeats, sizeof c->repeats);
}

static double repeated_run(const scripted_list *list)
{
  return 1e3 * fmax(list->word, 1);
}

/* Four dispatches, one after the other. */
static xb_code plan_four(const xb_case *c, xb_plan *made, xb_error *err)
{
  const xb_code code = copies.methods->plan(c, made, err);
  for (int i = 0; i < 3; i++) {
    const xb_step first = made->steps[0];
    xb_plan_step(made, XB_STEP_BARRIER);
    *xb_plan_step(made, XB_STEP_DISPATCH) = first;
  }
  return code;
}

static void repeat(xb_workload *w, xb_cell *measured)
{
  (void)w;
  own.methods.plan = plan_repeats;
  own.variant.repeats = true;
  measured[0].loop = XB_LOOP_KERNEL;
  measured_take_own(measured);
}

static void repeat_cold(xb_workload *w, xb_cell *measured)
{
  repeat(w, measured);
  make_cold(w, measured);
}

static void run_four(xb_workload *w, xb_cell *measured)
{
  (void)w;
  own.methods.plan = plan_four;
  measured_take_own(measured);
}

/* Other work makes every third run longer. */
static double sometimes_longer(const scripted_list *list)
{
  static int count;
  count += !list->again;
  return fmax(list->word, 1) * (list->again && count % 3 == 0 ? 1.3 * RUN_NS : RUN_NS);
}

/* The shortest times of 1, 2, 4 and 8 repetitions lie on a line. */
OWN_TEST(test_repetitions)
{
  scripted_rules rules = plain;
  rules.run_ns = sometimes_longer;
  measured_change = repeat;
  measure(&rules, &usual, 1);
  expect_ok();
  for (int i = 0; i < XB_LINEAR_POINTS; i++)
    assert_ns(cells[0].samples.linear_ns[i], xb_linear_repeats[i] * RUN_NS);
  assert_true(cells[0].samples.batch == 1 && cells[0].c.repeats == 50);
  assert_ns(cells[0].samples.device.minimum, RUN_NS);
}

/* Other work makes the first 300 submissions longer, but not those of one repetition. */
static double longer_at_first(const scripted_list *list)
{
  static int count;
  return fmax(list->word, 1) * RUN_NS + (list->word > 1 && count++ < 300 ? 40 * RUN_NS : 0);
}

/* A machine that is busy at first is measured again; one whose times never rise is refused. */
OWN_TEST(test_repetitions_again)
{
  scripted_rules rules = plain;
  rules.run_ns = longer_at_first;
  measured_change = repeat;
  measure(&rules, &usual, 1);
  expect_ok();
  for (int i = 0; i < XB_LINEAR_POINTS; i++)
    assert_ns(cells[0].samples.linear_ns[i], xb_linear_repeats[i] * RUN_NS);
}

/* A list stays short: 1000 runs, 3000 steps. A kernel repeats 1000 times. */
OWN_TEST(test_many_short_runs)
{
  scripted_rules rules = plain;
  rules.run_ns = short_run;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 1000);
  rules.run_ns = repeated_run;
  measured_change = repeat;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].c.repeats, 1000);
  measured_change = run_four;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 3000 / 7);
}

static double slower_alone(const scripted_list *list)
{
  return list->runs == 1 ? 2 * RUN_NS : RUN_NS;
}

/* A single run has the timestamps in its time; a batch hardly has. */
OWN_TEST(test_batch_from_a_batch)
{
  scripted_rules rules = plain;
  rules.run_ns = slower_alone;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 50);
}

/* Only the first repetition inside a kernel would be cold. */
OWN_TEST(test_cold_repetitions)
{
  measured_change = repeat_cold;
  measure(&plain, &usual, 1);
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_UNSUPPORTED);
  assert_non_null(strstr(cells[0].verdict.error.message, "would be cold"));
}

/* ---- Ending ----------------------------------------------------------------------------------------------------- */

static double noise;

/* Every second placement is 10 % slower. Each goes up and down; successive samples are not alike. */
static double noisy_placements(const scripted_list *list)
{
  return RUN_NS * (list->placement % 2 ? 1.1 : 1) * ((seen.rounds / 8 + list->placement) % 2 ? 1 + noise : 1 - noise);
}

/* Placements are what is left of the interval only if the noise inside them is at most a quarter of the width. */
OWN_TEST(test_placements_differ)
{
  scripted_rules rules = plain;
  rules.run_ns = noisy_placements;
  noise = 0.002;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_string_equal(cells[0].samples.stopped_by, "placements");
  noise = 0.008;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_true(cells[0].samples.device.noise < usual.width * cells[0].samples.device.median);
  assert_string_equal(cells[0].samples.stopped_by, "time limit");
}

static void place_once(xb_workload *w, xb_cell *measured)
{
  (void)w;
  measured[0].wanted_placements = 1;
}

/* However short the time is, each placement has three samples: one may be an outlier. One placement has as many as a
 * verdict needs. */
OWN_TEST(test_least_samples)
{
  xb_sampling hasty = usual;
  hasty.min_rounds = 1;
  hasty.min_time_s = 0;
  hasty.max_time_s = 1e-6;
  measure(&plain, &hasty, 1);
  expect_ok();
  assert_int_equal(cells[0].buffers.placements, 8);
  assert_int_equal(cells[0].samples.count, 3 * 8);
  measured_change = place_once;
  measure(&plain, &hasty, 1);
  expect_ok();
  assert_int_equal(cells[0].buffers.placements, 1);
  assert_int_equal(cells[0].samples.count, XB_MIN_SAMPLES);
}

/* An interval that never becomes narrow does not collect samples for as long as there is time. */
OWN_TEST(test_most_samples)
{
  static double samples[XB_MOST_SAMPLES];
  for (size_t i = 0; i < XB_MOST_SAMPLES; i++)
    samples[i] = 100 + (double)(i % 2) * 100;
  const xb_stopping rule = {.max_ns = 2, .width = 0.01};
  xb_sampled sampled = {.samples = samples, .count = XB_MOST_SAMPLES - 1, .placements = 1, .spent_ns = 1};
  assert_null(xb_stopped_by(&rule, &sampled));
  sampled.count = XB_MOST_SAMPLES;
  assert_string_equal(xb_stopped_by(&rule, &sampled), "most samples");
  sampled.spent_ns = 2;
  assert_string_equal(xb_stopped_by(&rule, &sampled), "time limit");
}

/* ---- What cannot be --------------------------------------------------------------------------------------------- */

/* 8000 bytes in 5 us, and a memory that moves 1 byte in a nanosecond. */
static double rapid_run(const scripted_list *list)
{
  (void)list;
  return 5e3;
}

/* Where the cache is unknown, all of it may come from there. */
OWN_TEST(test_unknown_cache)
{
  scripted_rules rules = plain;
  rules.memory_gbps = 1;
  rules.run_ns = rapid_run;
  measure(&rules, &usual, 1);
  expect_ok();
  rules.cache_bytes = 1;
  measure(&rules, &usual, 1);
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_WRONG);
}

static uint64_t flops;

static xb_code plan_flops(const xb_case *c, xb_plan *made, xb_error *err)
{
  const xb_code code = copies.methods->plan(c, made, err);
  made->flops = flops;
  return code;
}

static void calculate(xb_workload *w, xb_cell *measured)
{
  (void)w;
  own.methods.plan = plan_flops;
  measured_take_own(measured);
  own.info.multiprocessors = 10;
  own.info.clock_khz = 1000000;
}

/* Ten multiprocessors at 1 GHz calculate less than 163840 times in a nanosecond. */
OWN_TEST(test_operations)
{
  measured_change = calculate;
  flops = (uint64_t)(163839 * RUN_NS);
  measure(&plain, &usual, 1);
  expect_ok();
  flops = (uint64_t)(163841 * RUN_NS);
  measure(&plain, &usual, 1);
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_WRONG);
  assert_non_null(strstr(cells[0].verdict.error.message, "at this clock a processor does at most 163840"));
}

TEST_SOURCE(.begin = measured_begin, .end = measured_end);
