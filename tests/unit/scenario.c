#include "patience.h"
#include "scenario.h"

enum { BYTES = 256 };

typedef struct play {
  xb_device *device;
  xb_buffer *up, *down, *a, *b;
  xb_kernel *reader, *writer;
  xb_commands *compute, *other, *copy;
} play;

static xb_code make_kernel(play *p, uint32_t read_only, xb_kernel **kernel, xb_error *err)
{
  const host_code code = unit_code(1, read_only, 0);
  const xb_kernel_desc desc = unit_kernel_desc(&code);
  return xb_kernel_create(p->device, &desc, kernel, err);
}

static xb_code make(play *p, xb_error *err)
{
  xb_device_info info;
  uint32_t count;
  xb_code code = xb_enumerate(&xb_backend_host, &info, 1, &count, err);
  if (!code)
    code = xb_device_open(&(xb_device_desc){.backend = &xb_backend_host, .compute_queues = 2}, &p->device, err);
  if (!code)
    code = xb_buffer_create(p->device, &(xb_buffer_desc){.mem = XB_MEM_UPLOAD, .bytes = BYTES}, &p->up, err);
  if (!code)
    code = xb_buffer_create(p->device, &(xb_buffer_desc){.mem = XB_MEM_READBACK, .bytes = BYTES}, &p->down, err);
  if (!code)
    code = xb_buffer_create(p->device, &(xb_buffer_desc){.bytes = BYTES}, &p->a, err);
  if (!code)
    code = xb_buffer_create(p->device, &(xb_buffer_desc){.bytes = BYTES}, &p->b, err);
  if (!code)
    code = make_kernel(p, 1, &p->reader, err);
  if (!code)
    code = make_kernel(p, 0, &p->writer, err);
  if (!code)
    code = xb_commands_create(p->device, &(xb_commands_desc){.timestamp_count = 2}, &p->compute, err);
  if (!code)
    code = xb_commands_create(p->device, &(xb_commands_desc){.queue = XB_QUEUE_COMPUTE + 1}, &p->other, err);
  if (!code)
    code = xb_commands_create(p->device, &(xb_commands_desc){.queue = XB_QUEUE_COPY}, &p->copy, err);
  return code;
}

static xb_code native_fn(const xb_native *native, void *user, xb_error *err)
{
  (void)native, (void)user, (void)err;
  return XB_OK;
}

static xb_code record(play *p, xb_error *err)
{
  xb_commands *c = p->compute;
  xb_cmd_timestamp(c, 0);
  xb_cmd_copy(c, p->a, 0, p->up, 0, BYTES);
  xb_cmd_barrier(c);
  unit_dispatch(c, p->writer, &(xb_binding){.buffer = p->a, .access = XB_READ_WRITE}, 1);
  for (uint64_t i = 0; i < 8; i++) /* more than the tracker's initial capacity */
    xb_cmd_fill(c, p->b, i * 8, 8, (uint32_t)i);
  xb_cmd_barrier(c);
  unit_dispatch(c, p->reader, &(xb_binding){.buffer = p->a, .access = XB_READ}, 1);
  const xb_binding read = {.buffer = p->a, .access = XB_READ};
  xb_cmd_dispatch_indirect(c, &(xb_dispatch){.kernel = p->reader, .bindings = &read, .binding_count = 1}, p->b, 8);
  xb_cmd_native(c, native_fn, NULL, &(xb_binding){.buffer = p->b, .access = XB_READ}, 1);
  xb_cmd_timestamp(c, 1);
  xb_cmd_copy(p->copy, p->down, 0, p->a, 0, BYTES);
  xb_cmd_fill(p->other, p->a, 4, 4, 7);
  xb_code code = xb_commands_finish(p->compute, err);
  if (!code)
    code = xb_commands_finish(p->other, err);
  return code ? code : xb_commands_finish(p->copy, err);
}

static xb_code submit_and_wait(play *p, uint32_t round, xb_error *err)
{
  uint32_t *in = xb_buffer_host(p->up);
  const uint32_t *out = xb_buffer_host(p->down);
  double ns[2] = {0}, deviation_ns;
  xb_point computed, filled, copied;
  *in = 100 + round;
  xb_code code = xb_device_calibrate(p->device, &deviation_ns, err);
  if (!code)
    code = xb_submit(p->device, &(xb_submission){.commands = p->compute}, &computed, err);
  if (!code)
    code = xb_submit(p->device, &(xb_submission){.commands = p->other, .after = &computed, .after_count = 1}, &filled,
                     err);
  if (!code)
    code =
        xb_submit(p->device, &(xb_submission){.commands = p->copy, .after = &filled, .after_count = 1}, &copied, err);
  if (!code)
    code = xb_wait(p->device, copied, patience_ns(), err);
  if (!code)
    code = xb_wait(p->device, computed, patience_ns(), err);
  if (!code)
    code = xb_commands_timestamps(p->compute, ns, 2, err);
  if (!code)
    code = xb_commands_times(p->compute, (double[2]){0}, 2, err);
  if (!code && (*out != 101 + round || out[1] != 7 || ns[1] <= 0))
    fail_msg("round %u: %u instead of %u, %g ns", round, *out, 101 + round, ns[1]);
  return code;
}

xb_code scenario(xb_error *err)
{
  play p = {0};
  xb_code code = make(&p, err);
  if (!code)
    code = xb_device_native(p.device, native_fn, NULL, err);
  if (!code)
    code = record(&p, err);
  for (uint32_t round = 0; round < 2 && !code; round++)
    code = submit_and_wait(&p, round, err);
  if (!code) /* in flight when the device is closed */
    code = xb_submit(p.device, &(xb_submission){.commands = p.copy}, NULL, err);
  xb_commands_destroy(p.compute);
  xb_commands_destroy(p.other);
  xb_commands_destroy(p.copy);
  xb_kernel_destroy(p.reader);
  xb_kernel_destroy(p.writer);
  xb_buffer_destroy(p.up);
  xb_buffer_destroy(p.down);
  xb_buffer_destroy(p.a);
  xb_buffer_destroy(p.b);
  const xb_code closed = xb_device_close(p.device, code ? NULL : err);
  return code ? code : closed;
}
