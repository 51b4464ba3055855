/* n elements from one buffer to another. Within the device, by command and by kernel: the ceilings that other
 * benchmarks are held against. Between the device and pinned host memory, on each queue. */
#include "benchmark.h"
#include "copy_args.h"
#include "input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* [plan] A dispatch for each window that a binding can see. */
static xb_code plan_kernel(const xb_case *c, xb_plan *plan, uint32_t input, uint32_t output, xb_error *err)
{
  const uint64_t most = c->window_bytes / XB_ELEMENT_BYTES / 1024 * 1024; /* keeps offsets aligned */
  const uint64_t length = c->n <= most || !most ? c->n : most;
  for (uint64_t first = 0; first < c->n; first += length) {
    const uint64_t count = c->n - first < length ? c->n - first : length, offset = first * XB_ELEMENT_BYTES;
    const uint64_t bytes = count * XB_ELEMENT_BYTES, bytes4 = count / 4 ? count / 4 * 16 : bytes;
    xb_step *step = xb_plan_step(plan, XB_STEP_DISPATCH);
    if (!step)
      return xb_fail(err, XB_UNSUPPORTED, "copy", "%" PRIu64 " elements need more than %d dispatches", c->n,
                     XB_MAX_STEPS);
    const uint64_t threads = count / 4 > 4 ? count / 4 : 4;
    xb_fold_groups(c->device, (threads + c->block - 1) / c->block, step->groups);
    step->binding_count = 4;
    step->bindings[0] = (xb_plan_binding){input, offset, bytes4, XB_READ};
    step->bindings[1] = (xb_plan_binding){input, offset, bytes, XB_READ};
    step->bindings[2] = (xb_plan_binding){output, offset, bytes4, XB_DISJOINT_WRITE};
    step->bindings[3] = (xb_plan_binding){output, offset, bytes, XB_DISJOINT_WRITE};
    const struct xb_copy_args args = {
        .n = (uint32_t)count, .grid_x = step->groups[0], .repeats = c->repeats ? c->repeats : 1};
    memcpy(step->args, &args, sizeof args);
    plan->windows++;
  }
  return XB_OK;
}

/* [plan] The API's own command. */
static void add_copy(xb_plan *plan, uint32_t to, uint32_t from, uint64_t bytes)
{
  xb_step *step = xb_plan_step(plan, XB_STEP_COPY);
  step->binding_count = 2;
  step->bindings[0] = (xb_plan_binding){to, 0, bytes, XB_WRITE};
  step->bindings[1] = (xb_plan_binding){from, 0, bytes, XB_READ};
}

/* [plan] Between the device and pinned host memory; bytes that cross the bus count once. Both ways: two copies with no
 * barrier between, so that an API that can run them side by side may. */
static void plan_transfer(const xb_case *c, xb_plan *plan, uint64_t bytes)
{
  plan->bytes = 0;
  if (c->variant->way != XB_DEVICE_TO_HOST) {
    const uint32_t from =
        xb_plan_slot(plan, (xb_slot){.name = "host input", .role = XB_ROLE_HOST_INPUT, .bytes = bytes});
    const uint32_t to = xb_plan_slot(plan, (xb_slot){.name = "output", .role = XB_ROLE_OUTPUT, .bytes = bytes});
    add_copy(plan, to, from, bytes);
    plan->bytes += bytes;
  }
  if (c->variant->way != XB_HOST_TO_DEVICE) {
    const uint32_t from = xb_plan_slot(plan, (xb_slot){.name = "input", .role = XB_ROLE_INPUT, .bytes = bytes});
    const uint32_t to =
        xb_plan_slot(plan, (xb_slot){.name = "host output", .role = XB_ROLE_HOST_OUTPUT, .bytes = bytes});
    add_copy(plan, to, from, bytes);
    plan->bytes += bytes;
  }
}

/* [plan] Within the device, by command or by kernel; or between device and host. */
static xb_code copy_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  *plan = (xb_plan){0};
  const uint64_t bytes = c->n * XB_ELEMENT_BYTES;
  plan->bytes = 2 * bytes;
  plan->windows = xb_has_kernel(c->variant) ? 0 : 1;
  if (c->variant->way != XB_DEVICE_TO_DEVICE) {
    plan_transfer(c, plan, bytes);
    return XB_OK;
  }
  const uint32_t input = xb_plan_slot(plan, (xb_slot){.name = "input", .role = XB_ROLE_INPUT, .bytes = bytes});
  const uint32_t output = xb_plan_slot(plan, (xb_slot){.name = "output", .role = XB_ROLE_OUTPUT, .bytes = bytes});
  if (xb_has_kernel(c->variant)) {
    plan->binding_count = 4;
    plan->arg_bytes = sizeof(struct xb_copy_args);
    return plan_kernel(c, plan, input, output, err);
  }
  add_copy(plan, output, input, bytes);
  return XB_OK;
}

static bool copy_check(const xb_case *c, const xb_plan *plan, const xb_reference *reference, uint64_t first,
                       uint64_t count, const void *chunk, char *why, size_t why_bytes)
{
  (void)plan;
  (void)reference;
  enum { AT_ONCE = 4096 };
  uint32_t expected[AT_ONCE];
  const uint32_t *got = chunk;
  for (uint64_t done = 0; done < count; done += AT_ONCE) {
    const uint64_t some = count - done < AT_ONCE ? count - done : AT_ONCE;
    xb_input(c->dtype, c->seed, first + done, some, expected);
    if (!memcmp(got + done, expected, some * XB_ELEMENT_BYTES))
      continue;
    uint64_t i = 0;
    while (got[done + i] == expected[i])
      i++;
    snprintf(why, why_bytes, "element %" PRIu64 " has the bits 0x%08" PRIx32 ", expected 0x%08" PRIx32,
             first + done + i, got[done + i], expected[i]);
    return false;
  }
  return true;
}

const xb_benchmark xb_copy = {
    .name = "copy",
    .default_n = 1u << 22,
    .bandwidth = true,
    .plan = copy_plan,
    .check = copy_check,
};
