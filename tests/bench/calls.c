/* bench_calls: plans with calls of the host, on the host backend, whose pinned memory is not coherent. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "core/clock.h"
#include "measure/cell.h"
#include "scripted/copies.h"
#include "test.h"

enum { N = COPIES_N };

/* What the calls do wrong. */
static enum { NOTHING, FAILS, FORGETS } fault;
static int calls, checked;

/* The linker puts this in the place of clock_gettime (--wrap): a look at the clock takes a microsecond. */
static double clock_us;
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
  (void)id;
  clock_us++;
  t->tv_sec = (time_t)(clock_us / 1e6);
  t->tv_nsec = (long)(clock_us * 1e3 - (double)t->tv_sec * 1e9);
  return 0;
}

/* Uploads what the host sees: 2 ms that count, 20 ms that do not. */
static xb_code up(xb_call *call, xb_error *err)
{
  calls++;
  checked += call->checks;
  clock_us += 22e3;
  call->untimed_ns += 20e6;
  if (fault == FAILS)
    return xb_fail(err, XB_NOMEM, "up", "as planned");
  if (fault == FORGETS)
    return XB_OK;
  assert_null(call->bindings[0].host);
  return xb_upload(call->bindings[0].buffer, call->bindings[0].offset, call->bindings[1].host, call->bindings[1].size,
                   err);
}

/* The same, by what counts. */
static bool timed;
static xb_code up_timed(const xb_call *call, double *ns, xb_error *err)
{
  xb_call copy = *call;
  *ns = 2e6;
  return up(&copy, err);
}

static xb_code down(xb_call *call, xb_error *err)
{
  calls++;
  return xb_download(call->bindings[1].buffer, call->bindings[1].offset, call->bindings[0].host, call->bindings[0].size,
                     err);
}

static uint32_t word(uint64_t i)
{
  return (uint32_t)i * 77 + 5;
}

static void generate(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)dtype, (void)seed;
  for (uint64_t i = 0; i < count; i++)
    ((uint32_t *)out)[i] = word(first + i);
}

/* Host, device, device, host: a call, a copy, a call. */
static xb_code plan(const xb_case *c, xb_plan *made, xb_error *err)
{
  static const xb_role roles[] = {XB_ROLE_HOST_INPUT, XB_ROLE_SCRATCH, XB_ROLE_SCRATCH, XB_ROLE_HOST_OUTPUT};
  static const xb_step_kind kinds[] = {XB_STEP_CALL, XB_STEP_COPY, XB_STEP_CALL};
  (void)c, (void)err;
  for (int i = 0; i < 4; i++)
    xb_plan_slot(made, (xb_slot){.name = "slot",
                                 .role = roles[i],
                                 .bytes = N * 4,
                                 .generate = generate,
                                 .memory = i == 3 ? XB_MEM_IMPORTED : XB_MEM_DEVICE});
  for (uint32_t i = 0; i < 3; i++) {
    xb_step *step = xb_plan_step(made, kinds[i]);
    step->call = i ? down : up;
    step->timed = timed && !i ? up_timed : NULL;
    xb_step_bind(step, i + 1, 0, N * 4, XB_WRITE);
    xb_step_bind(step, i, 0, N * 4, XB_READ);
  }
  return XB_OK;
}

static bool is_right(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  (void)c;
  strcpy(why, "another word");
  for (uint64_t i = 0; i < chunk->count; i++)
    if (((const uint32_t *)chunk->data)[i] != word(chunk->first + i))
      return false;
  return true;
}

static const xb_methods methods = {.plan = plan, .check = is_right};
static const xb_benchmark benchmark = {.name = "calls", .dtypes = "int32", .methods = &methods};
static const xb_variant variants[] = {
    {.benchmark = &benchmark, .number = 1, .name = "calls", .title = "calls", .clock = XB_CLOCK_CALLS},
    {.benchmark = &benchmark, .number = 2, .name = "device", .title = "the device's clock"}};

static xb_cell make(const xb_workload *w, int with, const xb_variant *v)
{
  xb_cell cell = copies_cell(w, 1);
  cell.c.variant = v;
  fault = with;
  calls = checked = 0;
  xb_cell_create(&cell);
  return cell;
}

static void test_time_of(bool by_what_counts)
{
  timed = by_what_counts;
  xb_workload w = copies_workload(&xb_backend_host);
  xb_cell cell = make(&w, NOTHING, &variants[0]);
  double ns = 0, host = 0;
  assert_true(xb_cell_verify(&cell));
  assert_int_equal(calls, 2);
  const double begin = xb_clock_ns();
  assert_true(xb_sample_run(&cell, &ns, &host));
  const double whole_ns = xb_clock_ns() - begin;
  assert_int_equal(calls, 4); /* not once untimed before: 20 ms of preparing are enough */
  assert_int_equal(checked, 1);
  assert_true(ns >= 2e6 && ns < 2.5e6 && ns + cell.samples.untimed_ns <= whole_ns);
  assert_true(xb_cell_check(&cell));
  xb_cell_destroy(&cell);
  copies_close(&w);
}

TEST(test_time)
{
  test_time_of(false);
  test_time_of(true);
  timed = false;
}

TEST(test_faults)
{
  xb_workload w = copies_workload(&xb_backend_host);
  xb_cell cell = make(&w, FAILS, &variants[0]);
  assert_false(xb_cell_verify(&cell));
  assert_int_equal(cell.verdict.outcome, XB_CELL_FAILED);
  assert_string_equal(cell.verdict.error.message, "up: as planned");
  assert_int_equal(calls, 1);
  xb_cell_destroy(&cell);
  cell = make(&w, FORGETS, &variants[0]);
  assert_false(xb_cell_verify(&cell));
  assert_int_equal(cell.verdict.outcome, XB_CELL_WRONG);
  xb_cell_destroy(&cell);
  cell = make(&w, NOTHING, &variants[1]);
  assert_int_equal(cell.verdict.outcome, XB_CELL_FAILED);
  assert_non_null(
      strstr(cell.verdict.error.message, "2_device: step 0 calls the host, so its clock must be XB_CLOCK_CALLS"));
  xb_cell_destroy(&cell);
  copies_close(&w);
}

/* Every way to transfer that takes no kernel. */
TEST(test_transfers)
{
  const xb_benchmark *transfers = xb_benchmark_find("transfers");
  xb_workload w = copies_workload(&xb_backend_host);
  int right = 0;
  assert_non_null(transfers);
  for (size_t i = 0; i < transfers->variant_count; i++) {
    const xb_variant *v = &transfers->variants[i];
    xb_error error;
    xb_workload own = {
        .device = w.device, .of = transfers, .dtype = XB_INT32, .n = N, .seed = 3, .wait_limit_ns = w.wait_limit_ns};
    xb_cell cell = copies_cell(&own, 1);
    cell.c.variant = v;
    cell.c.seed = own.seed;
    if (xb_has_kernel(v) || v->counterparts[1].likeness == XB_NONE)
      continue;
    assert_int_equal(xb_workload_need(&own, &cell.c, &error), XB_OK);
    assert_int_equal(xb_workload_create(&own, &error), XB_OK);
    xb_cell_create(&cell);
    if (cell.verdict.outcome != XB_CELL_PENDING || !xb_cell_verify(&cell))
      fail_msg("transfers/%u: %s", v->number, cell.verdict.error.message);
    right++;
    xb_cell_destroy(&cell);
    xb_workload_destroy(&own);
  }
  assert_int_equal(right, 11);
  copies_close(&w);
}
