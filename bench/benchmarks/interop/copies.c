/* Copies by the kernel of transfers/9, one word a thread. */
#include "benchmarks/interop/both.h"
#include "benchmarks/registry.h"
#include "benchmarks/transfers/transfers_args.h"

enum { ELEMENT_BYTES = 4, RUNS = 8, WINDOW_STEP = 1024 /* keeps offsets aligned */ };

xb_code xb_copy_kernel(const xb_case *c, xb_device *device, xb_kernel **kernel, xb_error *err)
{
  const xb_plan_kernel plain = {"9_zero_copy", 2, sizeof(struct xb_transfers_args)};
  xb_case of_transfers = *c;
  of_transfers.variant = xb_variant_find("transfers", "zero_copy");
  of_transfers.device = xb_device_get_info(device);
  return xb_create_embedded(&of_transfers, &plain, device, kernel, err);
}

/* [dispatch] One for each window. */
static void record_run(const xb_case *c, xb_kernel *kernel, xb_buffer *to, xb_buffer *from, xb_commands *list)
{
  const uint64_t most = c->window_bytes / ELEMENT_BYTES / WINDOW_STEP * WINDOW_STEP;
  const uint64_t length = c->n <= most || !most ? c->n : most;
  for (xb_slice s = {0}; xb_next_slice(&s, c->n, length);) {
    const uint64_t offset = s.first * ELEMENT_BYTES, size = s.count * ELEMENT_BYTES;
    const xb_binding bindings[] = {{.buffer = from, .offset = offset, .size = size, .access = XB_READ},
                                   {.buffer = to, .offset = offset, .size = size, .access = XB_WRITE}};
    struct xb_transfers_args args = {.n = (uint32_t)s.count, .piece = (uint32_t)s.count, .step = (uint32_t)s.count};
    xb_dispatch dispatch = {
        .kernel = kernel, .bindings = bindings, .binding_count = 2, .args = &args, .arg_bytes = sizeof args};
    xb_fold_groups(c->device, xb_ceil_div(s.count, c->block), dispatch.groups);
    args.grid_x = dispatch.groups[0];
    xb_cmd_dispatch(list, &dispatch);
  }
}

static xb_code record(const xb_call *call, xb_kernel *kernel, xb_buffer *to, xb_buffer *from, xb_commands **list,
                      xb_error *err)
{
  const xb_code code =
      xb_commands_create(call->device, &(xb_commands_desc){.label = "copies", .timestamp_count = 2}, list, err);
  if (code)
    return code;
  xb_cmd_fill(*list, to, 0, call->c->n * ELEMENT_BYTES, XB_POISON);
  xb_cmd_timestamp(*list, 0);
  for (int i = 0; i < RUNS; i++) {
    if (i)
      xb_cmd_barrier(*list);
    record_run(call->c, kernel, to, from, *list);
  }
  xb_cmd_timestamp(*list, 1);
  return xb_commands_finish(*list, err);
}

xb_code xb_time_copies(const xb_call *call, xb_buffer *to, xb_buffer *from, const xb_ends *ends, double *ns,
                       xb_error *err)
{
  xb_kernel *kernel = NULL;
  xb_commands *list = NULL;
  uint32_t sum;
  xb_code code = xb_pieces_write(call->c, ends->writer, ends->put, &sum, err);
  code = code ? code : xb_copy_kernel(call->c, call->device, &kernel, err);
  code = code ? code : record(call, kernel, to, from, &list, err);
  code = code ? code : xb_time_list(call->device, list, RUNS, ns, err);
  if (!code && call->checks)
    code = xb_pieces_check(call->c, ends->get, err);
  xb_commands_destroy(list);
  xb_kernel_destroy(kernel);
  return code;
}
