/* Several queues: opening them, points that are missing, and one clock. */
#include "support.h"

#include "core/clock.h"

enum { BYTES = 256 };

typedef struct lanes {
  xb_device *device;
  xb_buffer *a, *b;
} lanes;

static lanes open_lanes(void)
{
  lanes l = {0};
  xb_error err;
  const xb_device_desc desc = {.backend = &xb_backend_host, .compute_queues = HOST_QUEUES, .copy_queues = 2};
  if (xb_device_open(&desc, &l.device, &err))
    fail_msg("%s", err.message);
  l.a = unit_buffer(l.device, XB_MEM_DEVICE, BYTES);
  l.b = unit_buffer(l.device, XB_MEM_DEVICE, BYTES);
  return l;
}

static void close_lanes(lanes *l)
{
  xb_buffer_destroy(l->a);
  xb_buffer_destroy(l->b);
  unit_close(l->device);
}

/* A list that copies these bytes of a to the same of b. */
static xb_commands *copying(const lanes *l, xb_queue queue, uint64_t begin, uint64_t bytes)
{
  xb_commands *c = unit_commands(l->device, queue, 0);
  xb_cmd_copy(c, l->b, begin, l->a, begin, bytes);
  return c;
}

static xb_commands *filling(const lanes *l, xb_queue queue, uint64_t begin, uint64_t bytes)
{
  xb_commands *c = unit_commands(l->device, queue, 0);
  xb_cmd_fill(c, l->a, begin, bytes, 1);
  return c;
}

/* Submits and destroys the list. */
static xb_code submit_after(const lanes *l, xb_commands *c, const xb_point *after, xb_point *done, xb_error *err)
{
  const xb_submission s = {.commands = c, .after = after, .after_count = after ? 1 : 0};
  const xb_code code = xb_submit(l->device, &s, done, err);
  xb_commands_destroy(c);
  return code;
}
#define FINE(call) assert_int_equal(call, XB_OK)

UNIT_BARE(opening)
{
  lanes l = open_lanes();
  const xb_queue_info *queues = xb_device_get_info(l.device)->queues;
  for (int q = 0; q < XB_MAX_QUEUES; q++)
    assert_int_equal(queues[q].present, q < HOST_QUEUES || (q >= XB_QUEUE_COPY && q < XB_QUEUE_COPY + 2));
  xb_commands *c;
  xb_error err;
  REFUSED(xb_commands_create(l.device, &(xb_commands_desc){.queue = XB_QUEUE_COPY + 2}, &c, &err), &err, XB_UNSUPPORTED,
          "opened without copy queue 2: ask for it with xb_device_desc.copy_queues");
  close_lanes(&l);

  xb_device *device;
  REFUSED(xb_device_open(&(xb_device_desc){.backend = &xb_backend_host, .compute_queues = 4}, &device, &err), &err,
          XB_UNSUPPORTED, "'host device 0' has 3 compute queues, 4 requested");
  const xb_device_desc bare = {.backend = &xb_backend_host, .index = 1, .copy_queues = 1};
  REFUSED(xb_device_open(&bare, &device, &err), &err, XB_UNSUPPORTED, "'host device 1' has 0 copy queues, 1 requested");
  assert_null(device);
}

/* Whether or not the first list is complete. */
UNIT_BARE(a_missing_point)
{
  for (int mode = HOST_LAZY; mode <= HOST_WAITED; mode++) {
    lanes l = open_lanes();
    xb_error err;
    xb_point filled;
    host_set_mode((host_mode)mode);
    FINE(submit_after(&l, filling(&l, XB_QUEUE_COPY + 1, 64, 64), NULL, &filled, &err));
    REFUSED(submit_after(&l, copying(&l, XB_QUEUE_COMPUTE + 2, 0, 128), NULL, NULL, &err), &err, XB_INVALID,
            "'list' (compute queue 2) reads bytes 64 to 128 of 'buf', which 'list' (copy queue 1), still in flight, "
            "writes: "
            "add the point of 'list' to xb_submission.after");
    FINE(submit_after(&l, copying(&l, XB_QUEUE_COMPUTE + 2, 0, 64), NULL, NULL, &err));   /* beside it */
    FINE(submit_after(&l, copying(&l, XB_QUEUE_COPY + 1, 64, 64), NULL, NULL, &err));     /* the same queue */
    FINE(submit_after(&l, copying(&l, XB_QUEUE_COMPUTE, 128, 128), &filled, NULL, &err)); /* after it */
    close_lanes(&l);
    host_reset();
  }
}

/* A point orders what its list came after, too. */
UNIT_BARE(through_other_lists)
{
  lanes l = open_lanes();
  xb_error err;
  xb_point first, second, third;
  host_set_mode(HOST_WAITED);
  FINE(submit_after(&l, filling(&l, XB_QUEUE_COPY, 0, 64), NULL, &first, &err));
  FINE(submit_after(&l, filling(&l, XB_QUEUE_COMPUTE, 128, 64), &first, &second, &err));
  FINE(submit_after(&l, filling(&l, XB_QUEUE_COMPUTE, 192, 64), NULL, &third, &err));
  FINE(submit_after(&l, copying(&l, XB_QUEUE_COMPUTE + 1, 0, 256), &third, NULL, &err));
  close_lanes(&l);
}

/* The host waited for a list that came after the first one. */
UNIT_BARE(through_the_host)
{
  lanes l = open_lanes();
  xb_error err;
  xb_point first, second;
  host_set_mode(HOST_WAITED);
  FINE(submit_after(&l, filling(&l, XB_QUEUE_COPY, 0, 64), NULL, &first, &err));
  FINE(submit_after(&l, copying(&l, XB_QUEUE_COMPUTE, 0, 64), &first, &second, &err));
  REFUSED(submit_after(&l, filling(&l, XB_QUEUE_COPY + 1, 0, 64), NULL, NULL, &err), &err, XB_INVALID, "writes");
  unit_wait(l.device, second);
  FINE(submit_after(&l, filling(&l, XB_QUEUE_COPY + 1, 0, 64), NULL, &second, &err));
  close_lanes(&l);
}

/* Readers do not wait for each other; a writer waits for all of them, past barriers and many other ranges. */
UNIT_BARE(ranges_of_a_whole_list)
{
  lanes l = open_lanes();
  xb_error err;
  xb_point reader;
  host_set_mode(HOST_WAITED);
  xb_commands *c = unit_commands(l.device, XB_QUEUE_COMPUTE, 0);
  for (uint64_t i = 0; i < 64; i += 2) {
    xb_cmd_copy(c, l.b, i * 4, l.a, i * 4, 4);
    xb_cmd_barrier(c);
  }
  FINE(submit_after(&l, c, NULL, &reader, &err));
  c = unit_commands(l.device, XB_QUEUE_COMPUTE + 1, 0);
  xb_cmd_copy(c, l.b, 4, l.a, 0, 4);
  FINE(submit_after(&l, c, NULL, NULL, &err));
  REFUSED(submit_after(&l, filling(&l, XB_QUEUE_COPY, 0, 4), &reader, NULL, &err), &err, XB_INVALID,
          "which 'list' (compute queue 1), still in flight, reads");
  REFUSED(submit_after(&l, filling(&l, XB_QUEUE_COPY, 62 * 4, 4), NULL, NULL, &err), &err, XB_INVALID, "reads");
  FINE(submit_after(&l, filling(&l, XB_QUEUE_COPY, 63 * 4, 4), NULL, NULL, &err));
  close_lanes(&l);
}

/* What a list writes behind a barrier is not hidden by what it read before. */
UNIT_BARE(written_after_reading)
{
  lanes l = open_lanes();
  xb_error err;
  host_set_mode(HOST_WAITED);
  xb_commands *c = unit_commands(l.device, XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy(c, l.b, 0, l.a, 0, 64);
  xb_cmd_barrier(c);
  xb_cmd_fill(c, l.a, 0, 64, 1);
  FINE(submit_after(&l, c, NULL, NULL, &err));
  c = unit_commands(l.device, XB_QUEUE_COPY, 0);
  xb_cmd_copy(c, l.b, 128, l.a, 32, 4);
  REFUSED(submit_after(&l, c, NULL, NULL, &err), &err, XB_INVALID, "in flight, writes");
  close_lanes(&l);
}

/* A wait over several queues runs into its limit: the device is unusable, and nothing leaks. */
UNIT_BARE(hung_on_several_queues)
{
  lanes l = open_lanes();
  xb_error err;
  xb_point points[2];
  host_set_mode(HOST_HUNG);
  FINE(submit_after(&l, filling(&l, XB_QUEUE_COPY, 0, 64), NULL, &points[0], &err));
  FINE(submit_after(&l, copying(&l, XB_QUEUE_COMPUTE + 1, 0, 64), &points[0], &points[1], &err));
  REFUSED(xb_wait(l.device, points[1], 1000, &err), &err, XB_TIMEOUT, "did not finish");
  REFUSED(xb_wait(l.device, points[0], 1000, &err), &err, XB_TIMEOUT, "did not finish within a time limit");
  close_lanes(&l);
}

UNIT_BARE(lost_on_several_queues)
{
  lanes l = open_lanes();
  xb_error err;
  xb_point points[2];
  host_set_mode(HOST_WAITED);
  FINE(submit_after(&l, filling(&l, XB_QUEUE_COPY, 0, 64), NULL, &points[0], &err));
  FINE(submit_after(&l, copying(&l, XB_QUEUE_COMPUTE + 1, 0, 64), &points[0], &points[1], &err));
  host_fail_call(1, XB_LOST);
  REFUSED(xb_wait(l.device, points[1], 1000000, &err), &err, XB_LOST, "HOST_FAULT");
  REFUSED(xb_wait(l.device, points[0], 1000000, &err), &err, XB_LOST, "was lost");
  close_lanes(&l);
}

UNIT_BARE(one_clock)
{
  lanes l = open_lanes();
  xb_error err;
  double deviation_ns = 0, first[2], second[2];
  xb_commands *lists[2];
  xb_point points[2];
  for (int i = 0; i < 2; i++) {
    lists[i] = unit_commands(l.device, i ? XB_QUEUE_COMPUTE + 1 : XB_QUEUE_COPY, 2);
    xb_cmd_timestamp(lists[i], 0);
    xb_cmd_fill(lists[i], i ? l.a : l.b, 0, 4, 1);
    xb_cmd_timestamp(lists[i], 1);
  }
  points[0] = unit_submit(l.device, lists[0]);
  unit_wait(l.device, points[0]);
  REFUSED(xb_commands_times(lists[0], first, 2, &err), &err, XB_INVALID, "before xb_device_calibrate");
  FINE(xb_device_calibrate(l.device, &deviation_ns, &err));
  assert_true(deviation_ns == HOST_DEVIATION_NS);
  REFUSED(xb_commands_times(lists[0], first, 2, &err), &err, XB_INVALID, "call that first");
  FINE(xb_commands_timestamps(lists[0], first, 2, &err));

  const double begin = xb_clock_ns();
  for (int i = 0; i < 2; i++)
    points[i] = unit_submit(l.device, lists[i]);
  REFUSED(xb_commands_times(lists[1], first, 2, &err), &err, XB_INVALID, "was not waited for");
  for (int i = 0; i < 2; i++)
    unit_wait(l.device, points[i]);
  FINE(xb_commands_times(lists[0], first, 2, &err));
  FINE(xb_commands_times(lists[1], second, 2, &err));
  assert_true(begin <= first[0] && first[0] < first[1] && first[1] < second[0] && second[0] < second[1]);
  REFUSED(xb_commands_times(lists[1], second, 1, &err), &err, XB_INVALID, "the list has 2");
  REFUSED(xb_device_calibrate(l.device, NULL, &err), &err, XB_INVALID, "the result pointer is NULL");
  xb_commands_destroy(lists[0]);
  xb_commands_destroy(lists[1]);
  close_lanes(&l);

  xb_device *bare = unit_open(1);
  REFUSED(xb_device_calibrate(bare, &deviation_ns, &err), &err, XB_UNSUPPORTED,
          "'host device 1' has no calibrated timestamps");
  unit_close(bare);
}
