/* The cost of running anything: an empty kernel of n threads. It reads and writes nothing, so the only check is that it
 * runs. */
#include "benchmarks/benchmark.h"

/* [plan] One dispatch of an empty kernel. The kernel of a `fresh` variant has a store that never happens, so that its
 * code can differ. */
static xb_code launch_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const bool fresh = c->variant->fresh;
  const uint64_t groups = xb_ceil_div(c->n, c->block);
  if (groups > (uint64_t)c->device->max_groups[0] * c->device->max_groups[1])
    return xb_refuse_case(c, err, "%llu groups are more than a dispatch on this device allows",
                          (unsigned long long)groups);
  xb_step *step = xb_plan_dispatch(c, plan, groups);
  if (fresh)
    xb_step_bind(step, xb_plan_slot_with(plan, .name = "unused", .role = XB_ROLE_SCRATCH, .bytes = 4), 0, 4, XB_WRITE);
  return XB_OK;
}

XB_METHODS(.plan = launch_plan)

#include "benchmarks/rows.h"
