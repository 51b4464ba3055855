#include "benchmarks/sum.h"

#include "benchmarks/registry.h"

xb_code xb_sum_create(xb_device *device, xb_buffer *data, uint64_t words, uint64_t window_bytes, xb_sum *sum,
                      xb_error *err)
{
  const xb_device_info *info = xb_device_get_info(device);
  *sum = (xb_sum){.c = {.variant = xb_variant_find("reduce", "single_pass"),
                        .dtype = XB_INT32,
                        .n = words,
                        .rows = 1,
                        .columns = words,
                        .window_bytes = window_bytes,
                        .device = info}};
  sum->c.block = xb_default_block(sum->c.variant, info, words);
  xb_code code = xb_plan_make(&sum->c, &sum->plan, err);
  code = code ? code : xb_create_embedded(&sum->c, &sum->plan.kernels[0], device, &sum->kernel, err);
  sum->buffers[0] = data;
  for (uint32_t i = 1; i < sum->plan.slot_count && i < XB_SUM_SLOTS && !code; i++)
    code =
        xb_buffer_create(device, &(xb_buffer_desc){.label = sum->plan.slots[i].name, .bytes = sum->plan.slots[i].bytes},
                         &sum->buffers[i], err);
  return code;
}

/* The counters are zeroed once, as reduce has it; the sum is poisoned. */
void xb_sum_prepare(const xb_sum *sum, xb_commands *list)
{
  for (uint32_t i = 1; i < sum->plan.slot_count; i++)
    xb_cmd_fill(list, sum->buffers[i], 0, sum->plan.slots[i].bytes,
                sum->plan.slots[i].role == XB_ROLE_OUTPUT ? XB_POISON : 0);
}

void xb_sum_record(const xb_sum *sum, xb_commands *list)
{
  for (uint32_t i = 0; i < sum->plan.step_count; i++) {
    const xb_step *step = &sum->plan.steps[i];
    xb_binding b[XB_MAX_BINDINGS];
    for (uint32_t k = 0; k < step->binding_count; k++)
      b[k] = (xb_binding){.buffer = sum->buffers[step->bindings[k].slot],
                          .offset = step->bindings[k].offset,
                          .size = step->bindings[k].size,
                          .access = step->bindings[k].access};
    xb_cmd_dispatch(list, &(xb_dispatch){.kernel = sum->kernel,
                                         .bindings = b,
                                         .binding_count = step->binding_count,
                                         .args = step->args,
                                         .arg_bytes = sum->plan.kernels[0].arg_bytes,
                                         .groups = {step->groups[0], step->groups[1], step->groups[2]}});
  }
}

void xb_sum_destroy(xb_sum *sum)
{
  for (int i = 1; i < XB_SUM_SLOTS; i++)
    xb_buffer_destroy(sum->buffers[i]);
  xb_kernel_destroy(sum->kernel);
  xb_plan_free(&sum->plan);
  *sum = (xb_sum){.kernel = NULL};
}
