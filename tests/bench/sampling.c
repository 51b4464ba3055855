/* bench_sampling: what is taken off a time, what is done before one, and when one cannot be (docs/measuring.md), with
 * times and kernels that the test decides. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "copying.h"
#include "judge/stopping.h"
#include "measured.h"

/* What the tests change in the benchmark of all cells. */
static xb_methods methods;
static xb_benchmark benchmark;
static xb_variant variant;
static xb_device_info info;

/* Gives all cells a benchmark, a variant and a device of our own, to be changed. */
static void take_own(xb_cell *measured)
{
  variant.benchmark = &benchmark;
  benchmark.methods = &methods;
  info = *measured[0].c.device;
  for (xb_cell *cell = measured; cell < measured + MEASURED_CELLS && cell->c.variant; cell++) {
    cell->c.variant = &variant;
    cell->c.device = &info;
  }
}

static int set_up(void **state)
{
  methods = *copies.methods;
  benchmark = copies;
  variant = copies.variants[0];
  measured_change = NULL;
  memset(cells, 0, sizeof cells);
  return measured_setup(state);
}
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, measured_teardown)

static double short_run(const scripted_list *list)
{
  (void)list;
  return 1e3;
}

/* ---- Restoring -------------------------------------------------------------------------------------------------- */

#define RESTORE_NS 20e3

static xb_code plan_sparse(const xb_case *c, xb_plan *made, xb_error *err)
{
  const xb_code code = copies.methods->plan(c, made, err);
  made->slots[1].sparse = true; /* poisoned before each run of an untrusted kernel */
  return code;
}

static void distrust(xb_workload *w, xb_cell *measured)
{
  xb_workload_place_inputs(w, 8); /* each has guards of its own */
  methods.plan = plan_sparse;
  methods.untrusted = true;
  take_own(measured);
}

/* All placements share one input. */
static void distrust_shared(xb_workload *w, xb_cell *measured)
{
  (void)w;
  methods.untrusted = true;
  take_own(measured);
}

static void test_shared_input(void **state)
{
  (void)state;
  measured_change = distrust_shared;
  measure(&plain, &usual, 1);
  expect_ok();
  assert_true(cells[0].buffers.placements > 1 && cells[0].verdict.rechecked_runs > 1);
}

static double no_time(const scripted_list *list)
{
  (void)list;
  return 0;
}

/* A list restores as often alone as before its runs: both are taken off, and count in what a sample takes. */
static void test_restoring(void **state)
{
  (void)state;
  xb_arena arena = {0};
  scripted_rules rules = plain;
  rules.restore_ns = RESTORE_NS;
  measured_change = distrust;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 35); /* of 140 us, in 5 ms */
  for (size_t i = 0; i < cells[0].samples.count; i++)
    assert_ns(cells[0].samples.ns[i], RUN_NS);
  assert_ns(cells[0].samples.restore_ns, RESTORE_NS);
  assert_ns(cells[0].samples.sampled_ns, (double)cells[0].samples.count * 35 * (RUN_NS + 2 * RESTORE_NS));
  xb_result result = result_of(0, &arena);
  assert_ns(result.restore_ns, RESTORE_NS);
  assert_true(isnan(result.host_ns)); /* the host waits for the restoring, too */
  rules.run_ns = no_time;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_ns(cells[0].samples.device.median, info.timestamp_period_ns / cells[0].samples.batch);
  xb_arena_free(&arena);
}

/* A copy or a fill and a barrier before each run: two more commands. */
static void test_long_lists(void **state)
{
  (void)state;
  scripted_rules rules = plain;
  rules.held = true;
  rules.run_ns = short_run;
  rules.restore_ns = 100;
  measured_change = distrust;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 500 / 3);
}

/* ---- Cold ------------------------------------------------------------------------------------------------------- */

enum { FLUSH_WORDS = 1024 };
static xb_buffer *flush;

static void make_cold(xb_workload *w, xb_cell *measured)
{
  xb_error error;
  assert_int_equal(xb_workload_create_flush(w, FLUSH_WORDS * 4, &error), XB_OK);
  flush = w->flush;
  measured[0].cache = XB_CACHE_COLD;
}

/* Before each run, all of the flushed memory is written, and that is not timed. */
static void test_cold(void **state)
{
  (void)state;
  uint32_t words[FLUSH_WORDS];
  xb_error error;
  measured_change = make_cold;
  measure(&plain, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 1);
  assert_int_equal(xb_download(flush, 0, words, sizeof words, &error), XB_OK);
  for (int i = 0; i < FLUSH_WORDS; i++)
    assert_int_equal(words[i], 0);
  for (size_t i = 0; i < seen.count; i++)
    assert_int_equal(seen.lists[i].fills, 0);
}

static double run_periods;

static double few_periods(const scripted_list *list)
{
  (void)list;
  return run_periods * info.timestamp_period_ns;
}

static void make_cold_and_coarse(xb_workload *w, xb_cell *measured)
{
  make_cold(w, measured);
  take_own(measured);
  info.timestamp_period_ns = 100;
}

/* A single run is at least 20 steps of the timer. */
static void test_cold_and_short(void **state)
{
  (void)state;
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
static void test_wake_up(void **state)
{
  (void)state;
  size_t single = 0;
  measure(&plain, &usual, 1);
  expect_ok();
  for (size_t i = 0; i < seen.count; i++)
    single += seen.lists[i].runs == 1;
  assert_int_equal(single, 2 * (size_t)ceil(10e6 / (RUN_NS + SUBMIT_NS)));
}

/* Ten samples fit into the time limit. */
static void test_short_limit(void **state)
{
  (void)state;
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
  methods.plan = plan_repeats;
  variant.repeats = true;
  measured[0].loop = XB_LOOP_KERNEL;
  take_own(measured);
}

static void repeat_cold(xb_workload *w, xb_cell *measured)
{
  repeat(w, measured);
  make_cold(w, measured);
}

static void run_four(xb_workload *w, xb_cell *measured)
{
  (void)w;
  methods.plan = plan_four;
  take_own(measured);
}

/* Other work makes every third run longer. */
static double sometimes_longer(const scripted_list *list)
{
  static int count;
  count += !list->again;
  return fmax(list->word, 1) * (list->again && count % 3 == 0 ? 1.3 * RUN_NS : RUN_NS);
}

/* The shortest times of 1, 2, 4 and 8 repetitions lie on a line. */
static void test_repetitions(void **state)
{
  (void)state;
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

/* A list stays short: 1000 runs, 3000 steps. A kernel repeats 1000 times. */
static void test_many_short_runs(void **state)
{
  (void)state;
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
static void test_batch_from_a_batch(void **state)
{
  (void)state;
  scripted_rules rules = plain;
  rules.run_ns = slower_alone;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 50);
}

/* Only the first repetition inside a kernel would be cold. */
static void test_cold_repetitions(void **state)
{
  (void)state;
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
static void test_placements_differ(void **state)
{
  (void)state;
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

/* An interval that never becomes narrow does not collect samples for as long as there is time. */
static void test_most_samples(void **state)
{
  (void)state;
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
static void test_unknown_cache(void **state)
{
  (void)state;
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
  methods.plan = plan_flops;
  take_own(measured);
  info.multiprocessors = 10;
  info.clock_khz = 1000000;
}

/* Ten multiprocessors at 1 GHz calculate less than 163840 times in a nanosecond. */
static void test_operations(void **state)
{
  (void)state;
  measured_change = calculate;
  flops = (uint64_t)(163839 * RUN_NS);
  measure(&plain, &usual, 1);
  expect_ok();
  flops = (uint64_t)(163841 * RUN_NS);
  measure(&plain, &usual, 1);
  assert_int_equal(cells[0].verdict.outcome, XB_CELL_WRONG);
  assert_non_null(strstr(cells[0].verdict.error.message, "no processor of this clock does more than 163840"));
}

/* ---- Rechecks --------------------------------------------------------------------------------------------------- */

static double long_run(const scripted_list *list)
{
  (void)list;
  return 1e9;
}

/* Sixteen runs, and two where one of them takes longer than the limit. */
static void test_rechecks(void **state)
{
  (void)state;
  scripted_rules rules = plain;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].verdict.rechecked_runs, 16);
  rules.run_ns = long_run;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].verdict.rechecked_runs, 2);
}

static void distrust_first(xb_workload *w, xb_cell *measured)
{
  const xb_variant *trusted = measured[1].c.variant;
  distrust(w, measured);
  measured[1].c.variant = trusted;
}

/* Guards that the recheck of an untrusted kernel changed are again what other cells expect. */
static void test_trusted_beside_untrusted(void **state)
{
  (void)state;
  measured_change = distrust_first;
  measure(&plain, &usual, 2);
  expect_ok();
}

/* Right unless it finds the other poison. */
static void read_old_output(const uint32_t group[3], const uint32_t groups[3], void *const *bindings,
                            const uint64_t *sizes, const void *args)
{
  const uint32_t before = *(const uint32_t *)bindings[1];
  copies_run(group, groups, bindings, sizes, args);
  *(uint32_t *)bindings[1] += before == XB_OTHER_POISON;
}

static void test_other_poison(void **state)
{
  (void)state;
  copies_kernel = read_old_output;
  measure(&plain, &usual, 1);
  expect_ok();
  measured_change = distrust;
  measure(&plain, &usual, 1);
  copies_kernel = copies_run;
  assert_true(cells[0].verdict.outcome == XB_CELL_WRONG && cells[0].verdict.rechecked_runs == 1);
}

static xb_code confirmed_as;

static xb_code confirm(const xb_case *c, xb_error *err)
{
  (void)c;
  return confirmed_as ? xb_fail(err, confirmed_as, "confirm", "as planned") : XB_OK;
}

static void ask_to_confirm(xb_workload *w, xb_cell *measured)
{
  (void)w;
  methods.confirm = confirm;
  take_own(measured);
}

/* What other cells say in the end: nothing, that the result is wrong, or that it does not count. */
static void test_confirm(void **state)
{
  (void)state;
  static const xb_code codes[] = {XB_OK, XB_INTERNAL, XB_UNSUPPORTED};
  static const xb_outcome outcomes[] = {XB_CELL_OK, XB_CELL_WRONG, XB_CELL_UNSUPPORTED};
  measured_change = ask_to_confirm;
  for (int i = 0; i < 3; i++) {
    confirmed_as = codes[i];
    measure(&plain, &usual, 1);
    assert_int_equal(cells[0].verdict.outcome, outcomes[i]);
    assert_int_equal(cells[0].verdict.verified, !i);
  }
}

/* ---- Shared work ------------------------------------------------------------------------------------------------ */

static uint32_t kept[COPIES_N];

/* Always what the first run found. */
static void copy_first(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                       const void *args)
{
  (void)group, (void)groups, (void)sizes, (void)args;
  if (!seen.count)
    memcpy(kept, bindings[0], sizeof kept);
  memcpy(bindings[1], kept, sizeof kept);
}

static void share(xb_workload *w, xb_cell *measured)
{
  (void)w;
  measured[1].shared = &measured[0];
}

/* What is wrong in a cell is wrong in the one that shares its work. */
static void test_shared(void **state)
{
  (void)state;
  measured_change = share;
  measure(&plain, &usual, 2);
  expect_ok();
  assert_true(cells[0].verdict.rechecked_runs >= 2 &&
              cells[1].verdict.rechecked_runs == cells[0].verdict.rechecked_runs);
  copies_kernel = copy_first;
  measure(&plain, &usual, 2);
  copies_kernel = copies_run;
  for (int i = 0; i < 2; i++)
    assert_true(cells[i].verdict.outcome == XB_CELL_WRONG && !cells[i].verdict.verified);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(test_restoring),        TEST(test_long_lists),        TEST(test_cold),
      TEST(test_cold_and_short),   TEST(test_wake_up),           TEST(test_short_limit),
      TEST(test_repetitions),      TEST(test_placements_differ), TEST(test_unknown_cache),
      TEST(test_operations),       TEST(test_many_short_runs),   TEST(test_batch_from_a_batch),
      TEST(test_cold_repetitions), TEST(test_rechecks),          TEST(test_trusted_beside_untrusted),
      TEST(test_shared_input),     TEST(test_other_poison),      TEST(test_confirm),
      TEST(test_shared),           TEST(test_most_samples),
  };
  return measured_run("sampling", tests, sizeof tests / sizeof *tests);
}
