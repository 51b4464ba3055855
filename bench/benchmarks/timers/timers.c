/* One run of a kernel, as four timers see it: the host until the submit returns; the host until the work is complete;
 * timestamps around the kernel; and the same timestamps on the host's clock, which tell how long the work waited to
 * begin, and how long the host took to notice its end. Then the cost of the calls themselves. */
#include "benchmarks/family.h"
#include "benchmarks/timers/timers_args.h"

typedef struct parameters {
  bool polls;
} parameters;

enum { MULTIPLIER = 1664525, INCREMENT = 1013904223 };

/* [plan] One list, of one dispatch for each window. */
static xb_code timers_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  xb_windows w = {.all = c->n, .step = 64};
  if (c->window_bytes < 256 || !c->at[0] || c->at[0] >= XB_MOST_ITERATIONS)
    return xb_refuse_case(c, err,
                          "%u turns with bindings of %" PRIu64 " bytes: expected 1 to %d turns and at least 256 bytes",
                          c->at[0], c->window_bytes, XB_MOST_ITERATIONS - 1);
  xb_stream_in(plan, &w, "input", WORD, xb_input);
  xb_stream_out(plan, &w, "output", WORD);
  xb_plan_list_of(plan, (xb_plan_list){.name = "kernel", .queue = c->variant->queue});
  plan->polls = of(c) && of(c)->polls;
  plan->bytes = 2 * c->n * WORD;
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_timers_args, .n = (uint32_t)w.count, .turns = c->at[0], .multiplier = MULTIPLIER,
                   .increment = INCREMENT);
  return XB_OK;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  const xb_affine all = xb_affine_steps((xb_affine){MULTIPLIER, INCREMENT}, c->at[0]);
  xb_input(c->dtype, c->seed, first, count, expected);
  for (uint64_t i = 0; i < count; i++)
    expected[i] = expected[i] * all.factor + all.term;
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
  memcpy(metrics, all, sizeof all);
  return sizeof all / sizeof *all;
}

XB_METHODS(.plan = timers_plan, .expect = expect, .word = "element", .span_metrics = timers_span_metrics)

#include "benchmarks/rows.h"
