/* Copies n elements from one buffer to another. Copies on the device, by command and by kernel, are the upper limits
 * that other benchmarks are compared with. Other copies are between the device and pinned host memory, on each queue.
 */
#include "benchmarks/copy/copy_args.h"
#include "benchmarks/family.h"

typedef struct parameters {
  enum { ON_DEVICE, HOST_TO_DEVICE, DEVICE_TO_HOST, BOTH_WAYS } way;
} parameters;

/* [plan] One dispatch per window, where a window is what fits into a binding. */
static void plan_kernel(const xb_case *c, xb_plan *plan, uint32_t input, uint32_t output)
{
  xb_windows w = {.all = c->n, .step = 1024, .vectors = true};
  xb_stream_of(&w, input, WORD, XB_READ);
  xb_stream_of(&w, output, WORD, XB_DISJOINT_WRITE);
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_copy_args, .n = (uint32_t)w.count, .repeats = c->repeats ? c->repeats : 1);
}

/* [plan] The API's own command, from a new buffer to another. */
static void add_copy(xb_plan *plan, xb_slot from, xb_slot to)
{
  const uint32_t source = xb_plan_slot(plan, from), destination = xb_plan_slot(plan, to);
  xb_step *step = xb_plan_step(plan, XB_STEP_COPY);
  xb_step_bind(step, destination, 0, to.bytes, XB_WRITE);
  xb_step_bind(step, source, 0, from.bytes, XB_READ);
}

/* [plan] On the device, by command or by kernel; or between device and pinned host memory, where each byte on the bus
 * counts once. Both ways: two copies without a barrier, so that an API may run them at the same time. */
static xb_code copy_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const int way = of(c)->way;
  const uint64_t bytes = c->n * WORD;
  const xb_slot input = {.name = "input", .role = XB_ROLE_INPUT, .bytes = bytes, .generate = xb_bits, .split = true};
  const xb_slot output = {.name = "output", .role = XB_ROLE_OUTPUT, .bytes = bytes};
  const xb_slot host_input = {
      .name = "host input", .role = XB_ROLE_HOST_INPUT, .bytes = bytes, .generate = xb_bits, .split = true};
  const xb_slot host_output = {.name = "host output", .role = XB_ROLE_HOST_OUTPUT, .bytes = bytes};
  (void)err;
  plan->bytes = way == ON_DEVICE || way == BOTH_WAYS ? 2 * bytes : bytes;
  if (xb_has_kernel(c->variant)) {
    const uint32_t from = xb_plan_slot(plan, input);
    plan_kernel(c, plan, from, xb_plan_slot(plan, output));
  } else if (way == ON_DEVICE) {
    add_copy(plan, input, output);
  }
  if (way == HOST_TO_DEVICE || way == BOTH_WAYS)
    add_copy(plan, host_input, output);
  if (way == DEVICE_TO_HOST || way == BOTH_WAYS)
    add_copy(plan, input, host_output);
  return XB_OK;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  xb_bits(c->dtype, c->seed, c->first + first, count, expected);
}

/* Both buffers together are more than twice the cache; a device may also cache what it reads from the host. */
XB_METHODS(.plan = copy_plan, .expect = expect, .word = "element", .grows = {.n = 1 << 22, .bytes = 2 * WORD})

#include "benchmarks/rows.h"
