/* reduce/9 of memory that others made. */
#include "benchmarks/interop/both.h"
#include "benchmarks/registry.h"

#include <inttypes.h>

enum { RUNS = 8, MOST_SLOTS = 8 };

typedef struct work {
  xb_case c; /* of reduce/9 */
  xb_plan plan;
  xb_kernel *kernel;
  xb_buffer *buffers[MOST_SLOTS]; /* of the plan's slots: the first is the data */
  xb_commands *list;
} work;

static xb_code create(const xb_call *call, xb_buffer *data, work *w, xb_error *err)
{
  w->c = *call->c;
  w->c.variant = xb_variant_find("reduce", "single_pass");
  w->c.dtype = XB_INT32;
  w->c.block = xb_default_block(w->c.variant, w->c.device, w->c.n);
  xb_code code = xb_plan_make(&w->c, &w->plan, err);
  if (code)
    return code;
  code = xb_create_embedded(&w->c, &w->plan.kernels[0], call->device, &w->kernel, err);
  w->buffers[0] = data;
  for (uint32_t i = 1; i < w->plan.slot_count && i < MOST_SLOTS && !code; i++)
    code = xb_buffer_create(call->device,
                            &(xb_buffer_desc){.label = w->plan.slots[i].name, .bytes = w->plan.slots[i].bytes},
                            &w->buffers[i], err);
  return code;
}

static void destroy(work *w)
{
  xb_commands_destroy(w->list);
  for (int i = 1; i < MOST_SLOTS; i++)
    xb_buffer_destroy(w->buffers[i]);
  xb_kernel_destroy(w->kernel);
  xb_plan_free(&w->plan);
}

/* [dispatch] One for each window of the data. */
static void record_run(const work *w)
{
  for (uint32_t i = 0; i < w->plan.step_count; i++) {
    const xb_step *step = &w->plan.steps[i];
    xb_binding b[XB_MAX_BINDINGS];
    for (uint32_t k = 0; k < step->binding_count; k++)
      b[k] = (xb_binding){.buffer = w->buffers[step->bindings[k].slot],
                          .offset = step->bindings[k].offset,
                          .size = step->bindings[k].size,
                          .access = step->bindings[k].access};
    xb_cmd_dispatch(w->list, &(xb_dispatch){.kernel = w->kernel,
                                            .bindings = b,
                                            .binding_count = step->binding_count,
                                            .args = step->args,
                                            .arg_bytes = w->plan.kernels[0].arg_bytes,
                                            .groups = {step->groups[0], step->groups[1], step->groups[2]}});
  }
}

/* The counters are zeroed once, as reduce has it; the sum is poisoned before. */
static xb_code record(xb_device *device, work *w, xb_error *err)
{
  const xb_code code =
      xb_commands_create(device, &(xb_commands_desc){.label = "sums", .timestamp_count = 2}, &w->list, err);
  if (code)
    return code;
  for (uint32_t i = 1; i < w->plan.slot_count; i++)
    xb_cmd_fill(w->list, w->buffers[i], 0, w->plan.slots[i].bytes,
                w->plan.slots[i].role == XB_ROLE_OUTPUT ? XB_POISON : 0);
  xb_cmd_timestamp(w->list, 0);
  for (int i = 0; i < RUNS; i++) {
    if (i)
      xb_cmd_barrier(w->list);
    record_run(w);
  }
  xb_cmd_timestamp(w->list, 1);
  return xb_commands_finish(w->list, err);
}

xb_code xb_sum(const xb_call *call, xb_buffer *data, xb_device *writer, xb_buffer *written, double *ns, xb_error *err)
{
  work w = {.list = NULL};
  uint32_t sum = 0, got = 0;
  xb_code code = xb_pieces_write(call->c, writer, written, &sum, err);
  code = code ? code : create(call, data, &w, err);
  code = code ? code : record(call->device, &w, err);
  code = code ? code : xb_time_list(call->device, w.list, RUNS, ns, err);
  code = code ? code : xb_download(w.buffers[1], 0, &got, sizeof got, err);
  if (!code && got != sum)
    code = xb_fail(err, XB_INTERNAL, "interop", "the sum is 0x%08" PRIx32 ", expected 0x%08" PRIx32, got, sum);
  destroy(&w);
  return code;
}
