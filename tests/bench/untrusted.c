/* bench_untrusted: kernels that are not trusted: their buffers are restored before each run, and they are checked again
 * with other contents, with times and kernels that the test decides. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "copying.h"
#include "measured.h"

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
  own.methods.plan = plan_sparse;
  own.methods.untrusted = true;
  measured_take_own(measured);
}

/* All placements share one input. */
static void distrust_shared(xb_workload *w, xb_cell *measured)
{
  (void)w;
  own.methods.untrusted = true;
  measured_take_own(measured);
}

OWN_TEST(test_shared_input)
{
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
OWN_TEST(test_restoring)
{
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
  assert_ns(result.time.restore_ns, RESTORE_NS);
  assert_true(isnan(result.time.host_ns)); /* the host waits for the restoring, too */
  rules.run_ns = no_time;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_ns(cells[0].samples.device.median, own.info.timestamp_period_ns / cells[0].samples.batch);
  xb_arena_free(&arena);
}

/* A copy or a fill and a barrier before each run: two more commands. */
OWN_TEST(test_long_lists)
{
  scripted_rules rules = plain;
  rules.held = true;
  rules.run_ns = short_run;
  rules.restore_ns = 100;
  measured_change = distrust;
  measure(&rules, &usual, 1);
  expect_ok();
  assert_int_equal(cells[0].samples.batch, 500 / 3);
}

/* ---- Rechecks --------------------------------------------------------------------------------------------------- */

static double long_run(const scripted_list *list)
{
  (void)list;
  return 1e9;
}

/* Sixteen runs, and two where one of them takes longer than the limit. */
OWN_TEST(test_rechecks)
{
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
OWN_TEST(test_trusted_beside_untrusted)
{
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

OWN_TEST(test_other_poison)
{
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
  own.methods.confirm = confirm;
  measured_take_own(measured);
}

/* What other cells say in the end: nothing, that the result is wrong, or that it does not count. */
OWN_TEST(test_confirm)
{
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
OWN_TEST(test_shared)
{
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

TEST_SOURCE(.begin = measured_begin, .end = measured_end);
