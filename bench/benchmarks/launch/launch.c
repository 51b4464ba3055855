/* The cost of running anything: an empty kernel of n threads. It reads and writes nothing, so the only check is that it
 * runs. */
#include "benchmarks/calls.h"
#include "benchmarks/family.h"
#include "core/clock.h"

typedef struct parameters {
  enum { RECORDED, REUSED } list; /* of the calls */
  bool early;                     /* a dispatch may start before the one before it ends */
} parameters;

enum { RECORDED_DISPATCHES = 64 };

/* RECORDED: the time to record the dispatches, to submit them and to wait. REUSED: without the recording. */
static xb_code run_list(const xb_call *call, double *ns, xb_error *err)
{
  xb_kernel *kernel = NULL;
  xb_commands *list = NULL;
  xb_code code = xb_create_embedded(call->c, &(xb_plan_kernel){.name = "1_barriers"}, call->device, &kernel, err);
  double begin = xb_clock_ns();
  code = code ? code : xb_commands_create(call->device, &(xb_commands_desc){.label = "launch"}, &list, err);
  for (int i = 0; !code && i < RECORDED_DISPATCHES; i++) {
    const uint32_t groups = (uint32_t)xb_ceil_div(call->c->n, call->c->block);
    xb_cmd_dispatch(list, &(xb_dispatch){.kernel = kernel, .groups = {groups, 1, 1}});
    xb_cmd_barrier(list);
  }
  code = code ? code : xb_commands_finish(list, err);
  if (!code && of(call->c)->list == REUSED) {
    code = xb_run_list(call->device, list, err);
    begin = xb_clock_ns();
  }
  code = code ? code : xb_run_list(call->device, list, err);
  *ns = xb_clock_ns() - begin;
  xb_commands_destroy(list);
  xb_kernel_destroy(kernel);
  return code;
}

/* [plan] One dispatch of an empty kernel. The kernel of a `fresh` variant has a store that never happens, so that its
 * code can differ. */
static xb_code launch_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const bool fresh = c->variant->fresh, early = of(c) && of(c)->early;
  if (early && !(c->device->features & XB_FEATURE_EARLY_START))
    return xb_refuse_case(c, err, "this device cannot start a dispatch before the previous one ends");
  const uint64_t groups = xb_ceil_div(c->n, c->block);
  if (groups > (uint64_t)c->device->max_groups[0] * c->device->max_groups[1])
    return xb_refuse_case(c, err, "%llu groups are more than a dispatch on this device allows",
                          (unsigned long long)groups);
  if (c->variant->clock == XB_CLOCK_CALLS) {
    if (groups > c->device->max_groups[0])
      return xb_refuse_case(c, err, "a list of many dispatches supports groups in x only");
    xb_plan_step(plan, XB_STEP_CALL)->timed = run_list;
    return XB_OK;
  }
  xb_step *step = xb_plan_dispatch(c, plan, groups);
  step->early = early;
  if (fresh)
    xb_step_bind(step, xb_plan_slot_with(plan, .name = "unused", .role = XB_ROLE_SCRATCH, .bytes = 4), 0, 4, XB_WRITE);
  return XB_OK;
}

XB_METHODS(.plan = launch_plan)

#include "benchmarks/rows.h"
