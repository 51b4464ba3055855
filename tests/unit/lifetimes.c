/* It is valid to destroy objects in flight; core defers it. The host backend notes it if core destroys too early. */
#include "support.h"

static void counts(size_t buffers, size_t kernels, size_t commands, int line)
{
  const host_live live = host_alive();
  if (live.buffers != buffers || live.kernels != kernels || live.commands != commands)
    fail_msg("line %d: %zu buffers, %zu kernels, %zu lists alive", line, live.buffers, live.kernels, live.commands);
}
#define COUNTS(buffers, kernels, commands) counts(buffers, kernels, commands, __LINE__)

static xb_point submit_all(xb_device *device, xb_queue queue)
{
  xb_buffer *up = unit_buffer(device, XB_MEM_UPLOAD, 64), *a = unit_buffer(device, XB_MEM_DEVICE, 64);
  xb_buffer *down = unit_buffer(device, XB_MEM_READBACK, 64);
  xb_kernel *kernel = unit_kernel(device, "k", 1, 0, 0);
  xb_commands *c = unit_commands(device, queue, 0);
  xb_cmd_copy(c, a, 0, up, 0, 64);
  xb_cmd_barrier(c);
  if (queue == XB_QUEUE_COMPUTE)
    unit_dispatch(c, kernel, &(xb_binding){.buffer = a, .access = XB_READ_WRITE}, 1);
  xb_cmd_barrier(c);
  xb_cmd_copy(c, down, 0, a, 0, 64);
  const xb_point point = unit_submit(device, c);
  xb_commands_destroy(c);
  xb_kernel_destroy(kernel);
  xb_buffer_destroy(down);
  xb_buffer_destroy(up);
  xb_buffer_destroy(a);
  return point;
}

UNIT_BARE(released_by_wait)
{
  host_set_mode(HOST_WAITED);
  xb_device *device = unit_open(0);
  const xb_point first = submit_all(device, XB_QUEUE_COMPUTE);
  COUNTS(3, 1, 1);
  const xb_point second = submit_all(device, XB_QUEUE_COMPUTE);
  COUNTS(6, 2, 2);
  unit_wait(device, first);
  COUNTS(3, 1, 1);
  unit_wait(device, second);
  COUNTS(0, 0, 0);
  unit_close(device);
}

/* A program that never waits: complete lists are polled when there are many. */
UNIT_BARE(released_by_a_later_submit)
{
  enum { MANY = 64 };
  host_set_mode(HOST_IMMEDIATE);
  xb_device *device = unit_open(0);
  for (size_t i = 1; i <= MANY; i++) {
    submit_all(device, XB_QUEUE_COMPUTE);
    COUNTS(3 * i, i, i);
  }
  submit_all(device, XB_QUEUE_COPY);
  COUNTS(3, 0, 1);
  unit_close(device);
}

UNIT_BARE(released_by_close)
{
  host_set_mode(HOST_WAITED);
  xb_device *device = unit_open(0);
  submit_all(device, XB_QUEUE_COMPUTE);
  submit_all(device, XB_QUEUE_COPY);
  COUNTS(6, 1, 2);
  unit_close(device);
}

/* A list keeps its objects alive, submitted or not, after the caller has destroyed them. */
UNIT_BARE(a_list_retains_what_it_names)
{
  xb_device *device = unit_open(0);
  xb_buffer *a = unit_buffer(device, XB_MEM_DEVICE, 64), *b = unit_buffer(device, XB_MEM_DEVICE, 64);
  xb_kernel *kernel = unit_kernel(device, "k", 1, 0, 0);
  xb_commands *c = unit_commands(device, XB_QUEUE_COMPUTE, 0);
  for (int i = 0; i < 3; i++) { /* used several times, retained once */
    unit_dispatch(c, kernel, &(xb_binding){.buffer = a, .access = XB_READ_WRITE}, 1);
    xb_cmd_barrier(c);
  }
  xb_kernel_destroy(kernel);
  xb_buffer_destroy(a);
  xb_buffer_destroy(b); /* in no list */
  COUNTS(1, 1, 1);
  for (int i = 0; i < 3; i++)
    unit_wait(device, unit_submit(device, c));
  COUNTS(1, 1, 1);
  xb_commands_destroy(c);
  COUNTS(0, 0, 0);
  unit_close(device);
}

/* A list that failed while recording releases everything. */
UNIT_BARE(a_failed_list_releases)
{
  xb_device *device = unit_open(0);
  xb_buffer *a = unit_buffer(device, XB_MEM_DEVICE, 64);
  xb_commands *c = unit_commands(device, XB_QUEUE_COMPUTE, 0);
  xb_cmd_fill(c, a, 0, 64, 0);
  xb_cmd_fill(c, a, 0, 65, 0);
  xb_buffer_destroy(a);
  COUNTS(1, 0, 1);
  xb_commands_destroy(c);
  COUNTS(0, 0, 0);
  unit_close(device);
}

/* If the wait in close fails and the device is not lost, work may still run. */
UNIT_BARE(close_that_cannot_wait)
{
  for (uint64_t k = 1; k <= 2; k++) {
    host_set_mode(HOST_WAITED);
    xb_device *device = unit_open(0);
    submit_all(device, XB_QUEUE_COMPUTE);
    submit_all(device, XB_QUEUE_COPY);
    host_fail_call(k, XB_INTERNAL);
    xb_error err;
    REFUSED(xb_device_close(device, &err), &err, XB_INTERNAL, "HOST_FAULT");
    COUNTS(0, 0, 0);
    unit_clean(__FILE__, __LINE__);
    host_reset();
  }
}
