#include "benchmark.h"

#include <assert.h>

const char *xb_dtype_name(xb_dtype dtype)
{
  static const char *const names[XB_DTYPES] = {[XB_FLOAT32] = "float32", [XB_INT32] = "int32"};
  return names[dtype];
}

uint32_t xb_plan_slot(xb_plan *plan, xb_slot slot)
{
  assert(plan->slot_count < XB_MAX_SLOTS);
  plan->slots[plan->slot_count] = slot;
  return plan->slot_count++;
}

xb_step *xb_plan_step(xb_plan *plan, xb_step_kind kind)
{
  if (plan->step_count >= XB_MAX_STEPS)
    return NULL;
  xb_step *step = &plan->steps[plan->step_count++];
  *step = (xb_step){.kind = kind};
  return step;
}

void xb_fold_groups(const xb_device_info *device, uint64_t groups, uint32_t folded[3])
{
  const uint64_t x = groups < device->max_groups[0] ? groups : device->max_groups[0];
  folded[0] = (uint32_t)x;
  folded[1] = (uint32_t)((groups + x - 1) / x);
  folded[2] = 1;
}
