/* What it takes to run anything: an empty kernel of n threads. Nothing is read or written, so there is nothing to check
 * but that it runs. */
#include "benchmarks/benchmark.h"

/* [plan] One dispatch of nothing. */
static xb_code launch_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  plan->windows = 1;
  xb_plan_kernel_of(plan, (xb_plan_kernel){0});
  const uint64_t groups = xb_ceil_div(c->n, c->block);
  if (groups > (uint64_t)c->device->max_groups[0] * c->device->max_groups[1])
    return xb_fail(err, XB_UNSUPPORTED, "launch", "%llu groups, more than a dispatch of this device takes",
                   (unsigned long long)groups);
  xb_fold_groups(c->device, groups, xb_plan_step(plan, XB_STEP_DISPATCH)->groups);
  return XB_OK;
}

static const xb_methods methods = {.plan = launch_plan};

#define XB_SELF xb_launch
#define XB_TABLE "benchmarks/launch/variants.def"
#include "benchmarks/rows.h"
