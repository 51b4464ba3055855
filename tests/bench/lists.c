/* bench_lists: plans with lists on several queues, on the host backend: their order, their times, and what goes wrong.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "benchmarks/benchmark.h"
#include "host/host.h"
#include "measure/cell.h"
#include "patience.h"
#include "test.h"

enum { BYTES = 4096 };

static struct {
  bool no_point; /* between the upload and the download */
  xb_queue down;
} planted;

static xb_code add_one(xb_call *call, xb_error *err)
{
  (void)err;
  const uint32_t *in = call->bindings[0].host;
  uint32_t *out = call->bindings[1].host;
  for (uint64_t i = 0; i < call->bindings[0].size / 4; i++)
    out[i] = in[i] + 1;
  return XB_OK;
}

static void add_copy(xb_plan *p, uint32_t to, uint32_t from)
{
  xb_step *step = xb_plan_step(p, XB_STEP_COPY);
  xb_step_bind(step, to, 0, BYTES, XB_WRITE);
  xb_step_bind(step, from, 0, BYTES, XB_READ);
}

/* Uploads on one queue, downloads on another, and the host adds 1. */
static xb_code plan(const xb_case *c, xb_plan *p, xb_error *err)
{
  (void)c, (void)err;
  const uint32_t up = xb_plan_slot(p, (xb_slot){.name = "up", .role = XB_ROLE_HOST_INPUT, .bytes = BYTES});
  const uint32_t on = xb_plan_slot(p, (xb_slot){.name = "on", .role = XB_ROLE_SCRATCH, .bytes = BYTES});
  const uint32_t down = xb_plan_slot(p, (xb_slot){.name = "down", .role = XB_ROLE_HOST_OUTPUT, .bytes = BYTES});
  const uint32_t host = xb_plan_slot(p, (xb_slot){.name = "host", .role = XB_ROLE_HOST_OUTPUT, .bytes = BYTES});
  const uint32_t first = xb_plan_list_of(p, (xb_plan_list){.name = "upload", .queue = XB_QUEUE_COPY});
  add_copy(p, on, up);
  xb_plan_list_of(
      p, (xb_plan_list){.name = "download", .queue = planted.down, .after = {first}, .after_count = !planted.no_point});
  add_copy(p, down, on);
  xb_plan_list_of(p, (xb_plan_list){.name = "host", .on_host = true});
  xb_step *step = xb_plan_step(p, XB_STEP_CALL);
  step->call = add_one;
  xb_step_bind(step, up, 0, BYTES, XB_READ);
  xb_step_bind(step, host, 0, BYTES, XB_WRITE);
  p->windows = 1;
  return XB_OK;
}

static void generate(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)dtype;
  for (uint64_t i = 0; i < count; i++)
    ((uint32_t *)out)[i] = (uint32_t)(seed + first + i);
}

static xb_code plan_generated(const xb_case *c, xb_plan *p, xb_error *err)
{
  const xb_code code = plan(c, p, err);
  p->slots[0].generate = generate;
  return code;
}

static bool check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const uint32_t more = !strcmp(chunk->plan->slots[chunk->slot].name, "host");
  for (uint64_t i = 0; i < chunk->count; i++)
    if (((const uint32_t *)chunk->data)[i] != (uint32_t)(c->seed + chunk->first + i) + more) {
      strcpy(why, "a word is wrong");
      return false;
    }
  return true;
}

static const xb_methods methods = {.plan = plan_generated, .check = check};
static const xb_benchmark benchmark;
static const xb_variant variant = {
    .benchmark = &benchmark, .number = 1, .name = "lists", .source = NO_KERNEL, .clock = XB_CLOCK_SPAN};
static const xb_benchmark benchmark = {
    .name = "made", .dtypes = "float32", .variants = &variant, .variant_count = 1, .methods = &methods};

static xb_workload workload;
static xb_cell cell;

static int set_up(void **state)
{
  (void)state;
  xb_error error;
  host_reset();
  planted.no_point = false;
  planted.down = XB_QUEUE_COPY + 1;
  const xb_device_desc desc = {
      .backend = &xb_backend_host, .compute_queues = XB_ALL_QUEUES, .copy_queues = XB_ALL_QUEUES};
  workload = (xb_workload){.n = BYTES / 4, .wait_limit_ns = patience_ns()};
  if (xb_device_open(&desc, &workload.device, &error) || xb_workload_create(&workload, &error))
    return -1;
  cell = (xb_cell){.c = {.variant = &variant,
                         .dtype = XB_INT32,
                         .n = BYTES / 4,
                         .seed = 5,
                         .device = xb_device_get_info(workload.device)},
                   .workload = &workload,
                   .most_placements = 1};
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  xb_cell_destroy(&cell);
  xb_workload_destroy(&workload);
  return xb_device_close(workload.device, NULL) || host_broken_promise() ? -1 : 0;
}

TEST_WITH(in_order, set_up, tear_down)
{
  double ns, issued_ns;
  xb_cell_create(&cell);
  assert_int_equal(cell.verdict.outcome, XB_CELL_PENDING);
  assert_true(xb_cell_verify(&cell));
  assert_true(xb_sample_calibrate(&cell));
  assert_true(xb_lists_sample(&cell, &ns, &issued_ns));
  assert_true(ns >= issued_ns && issued_ns > 0);
  const xb_span *span = &cell.buffers.lists->shortest;
  assert_true(span->ns == ns && span->deviation_ns == HOST_DEVIATION_NS);
  assert_true(0 <= span->begin_ns[0] && span->end_ns[0] <= span->begin_ns[1] && span->end_ns[1] <= ns);
  assert_true(span->begin_ns[2] >= 0 && span->end_ns[2] <= issued_ns); /* the host's */
  for (int i = 0; i < 3; i++)
    assert_true(span->alone_ns[i] > 0);
  assert_true(xb_cell_check(&cell));
  assert_true(xb_cell_recheck(&cell, 6));
}

/* The cell says what is missing; nothing runs on fewer queues instead. */
TEST_WITH(too_few_queues, set_up, tear_down)
{
  planted.down = XB_QUEUE_COPY + HOST_QUEUES;
  xb_cell_create(&cell);
  assert_int_equal(cell.verdict.outcome, XB_CELL_UNSUPPORTED);
  assert_non_null(strstr(cell.verdict.error.message, "'host device 0' has 3 copy queues, needs at least 4"));
}

TEST_WITH(a_missing_point, set_up, tear_down)
{
  planted.no_point = true;
  xb_cell_create(&cell);
  assert_false(xb_cell_verify(&cell));
  assert_int_equal(cell.verdict.outcome, XB_CELL_FAILED);
  assert_non_null(strstr(cell.verdict.error.message, "'download' (copy queue 1) reads bytes"));
}

/* With work in flight on two queues. */
TEST_WITH(a_wait_runs_out, set_up, tear_down)
{
  double ns;
  xb_cell_create(&cell);
  workload.wait_limit_ns = 1000000;
  host_set_mode(HOST_HUNG);
  assert_false(xb_lists_run(&cell, &ns));
  assert_int_equal(cell.verdict.outcome, XB_CELL_FAILED);
  assert_int_equal(cell.verdict.error.code, XB_TIMEOUT);
}

/* What is in flight on the other queue ends before the cell returns. */
TEST_WITH(a_wait_fails, set_up, tear_down)
{
  double ns;
  xb_cell_create(&cell);
  assert_true(xb_lists_run(&cell, &ns));
  host_fail_call(5, XB_INTERNAL); /* behind a calibration, a flush and two submissions */
  assert_false(xb_lists_run(&cell, &ns));
  assert_string_equal(host_failed_name(), "wait");
  assert_int_equal(cell.verdict.outcome, XB_CELL_FAILED);
  assert_int_equal(host_alive().submissions, 0);
}

TEST_WITH(a_wait_fails_alone, set_up, tear_down)
{
  double ns;
  xb_cell_create(&cell);
  assert_true(xb_lists_run(&cell, &ns));
  host_fail_call(4, XB_INTERNAL); /* behind a calibration, a flush and a submission */
  assert_false(xb_lists_run_alone(&cell));
  assert_string_equal(host_failed_name(), "wait");
  assert_int_equal(host_alive().submissions, 0);
}

/* A run that was not held has no times. The others have. */
TEST_WITH(times_are_lost, set_up, tear_down)
{
  double ns;
  xb_cell_create(&cell);
  assert_true(xb_lists_run(&cell, &ns));
  host_lose_times();
  assert_true(xb_lists_run_alone(&cell));
  for (int i = 0; i < 3; i++)
    assert_true(cell.buffers.lists->last.alone_ns[i] > 0);
}

/* A longer sample is not shown. */
TEST_WITH(the_shortest_is_kept, set_up, tear_down)
{
  double ns, issued_ns;
  xb_cell_create(&cell);
  assert_true(xb_lists_run(&cell, &ns));
  cell.buffers.lists->shortest.ns = 1;
  assert_true(xb_lists_sample(&cell, &ns, &issued_ns));
  assert_true(ns > 1 && cell.buffers.lists->shortest.ns == 1);
  cell.buffers.lists->shortest.ns = 1e18;
  assert_true(xb_lists_sample(&cell, &ns, &issued_ns));
  assert_true(cell.buffers.lists->shortest.ns == ns);
}
