/* One run of a kernel, as four timers see it: the host until the submit returns; the host until the work is complete;
 * timestamps around the kernel; and the same timestamps on the host's clock, which tell how long the work waited to
 * begin, and how long the host took to notice its end. Then the cost of the calls themselves. */
#include "benchmarks/benchmark.h"
#include "benchmarks/input.h"
#include "benchmarks/timers/timers_args.h"

#include <inttypes.h>
#include <math.h>

typedef struct parameters {
  bool polls;
} parameters;

enum { ELEMENT_BYTES = 4, MULTIPLIER = 1664525, INCREMENT = 1013904223 };

/* [plan] One list, of one dispatch for each window. */
static xb_code timers_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const parameters *p = c->variant->parameters;
  const uint64_t bytes = c->n * ELEMENT_BYTES, window = c->window_bytes / 256 * 256 / ELEMENT_BYTES;
  if (!window || !c->at[0] || c->at[0] >= XB_MOST_ITERATIONS)
    return xb_refuse_case(c, err,
                          "%u turns and bindings of %" PRIu64 " bytes: expected 1 to %d turns, and 256 bytes or more",
                          c->at[0], c->window_bytes, XB_MOST_ITERATIONS - 1);
  const uint32_t in = xb_plan_input(plan, "input", bytes, xb_input);
  const uint32_t out = xb_plan_output(plan, "output", bytes);
  xb_plan_list_of(plan, (xb_plan_list){.name = "kernel", .queue = c->variant->queue});
  plan->polls = p && p->polls;
  plan->bytes = 2 * bytes;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, window);) {
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count, c->block));
    xb_step_bind(step, in, w.first * ELEMENT_BYTES, w.count * ELEMENT_BYTES, XB_READ);
    xb_step_bind(step, out, w.first * ELEMENT_BYTES, w.count * ELEMENT_BYTES, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_timers_args, .n = (uint32_t)w.count, .turns = c->at[0], .multiplier = MULTIPLIER,
                   .increment = INCREMENT);
  }
  return XB_OK;
}

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const xb_case *c = user;
  uint32_t multiplier = 1, increment = 0;
  for (uint32_t turn = 0; turn < c->at[0]; turn++) {
    increment = increment * MULTIPLIER + INCREMENT;
    multiplier *= MULTIPLIER;
  }
  xb_input(c->dtype, c->seed, first, count, expected);
  for (uint64_t i = 0; i < count; i++)
    expected[i] = expected[i] * multiplier + increment;
}

/* All of one sample, the shortest. The two clocks differ by at most the deviation. */
static size_t timers_span_metrics(const xb_case *c, const xb_plan *plan, const xb_span *span,
                                  xb_metric metrics[XB_MAX_METRICS])
{
  (void)c, (void)plan;
  const double begin = span->begin_ns[0], end = span->end_ns[0];
  const xb_metric all[] = {
      {.name = "synchronized", .unit = "us synchronized", .value = span->shortest_ns / 1e3},
      {.name = "unsynchronized", .unit = "us unsynchronized", .value = span->issued_ns / 1e3},
      {.name = "events", .unit = "us events", .value = (end - begin) / 1e3},
      {.name = "to begin", .unit = "us to begin", .value = fmax(begin, 0) / 1e3},
      {.name = "to notice", .unit = "us to notice", .value = fmax(span->shortest_ns - end, 0) / 1e3},
      {.name = "deviation", .unit = "us deviation", .value = span->deviation_ns / 1e3},
      {.name = "read", .unit = "us to read", .value = span->read_ns / 1e3},
      {.name = "calibrate", .unit = "us to calibrate", .value = span->calibrate_ns / 1e3},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    metrics[i] = all[i];
  return sizeof all / sizeof *all;
}

XB_METHODS(.plan = timers_plan, .expect = expect, .word = "element", .span_metrics = timers_span_metrics)

#include "benchmarks/rows.h"
