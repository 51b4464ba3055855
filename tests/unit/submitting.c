/* Submissions, points, waiting, timestamps. */
#include "patience.h"
#include "support.h"

#include <string.h>

UNIT(submit_refused)
{
  unit *u = *state;
  xb_error err;
  const xb_submission good = {.commands = u->c}, empty = {.commands = NULL};
  REFUSED(xb_submit(NULL, &good, NULL, &err), &err, XB_INVALID, "no device");
  REFUSED(xb_submit(u->device, NULL, NULL, &err), &err, XB_INVALID, "no command list");
  REFUSED(xb_submit(u->device, &empty, NULL, &err), &err, XB_INVALID, "no command list");
  xb_device *elsewhere = unit_open(0);
  REFUSED(xb_submit(elsewhere, &good, NULL, &err), &err, XB_INVALID, "no command list of this device");
  unit_close(elsewhere);

  xb_point points[XB_MAX_AFTER + 1] = {0};
  xb_submission s = {.commands = u->c, .after = points, .after_count = XB_MAX_AFTER + 1};
  REFUSED(xb_submit(u->device, &s, NULL, &err), &err, XB_INVALID, "17 points to wait for, at most 16");
  s = (xb_submission){.commands = u->c, .after_count = 1};
  REFUSED(xb_submit(u->device, &s, NULL, &err), &err, XB_INVALID, "1 points to wait for");
  points[1] = (xb_point){.queue = XB_QUEUE_COPY, .value = 1};
  s = (xb_submission){.commands = u->c, .after = points, .after_count = 2};
  REFUSED(xb_submit(u->device, &s, NULL, &err), &err, XB_INVALID, "point 1 of copy queue 0 was never submitted");
  points[1] = (xb_point){.queue = XB_MAX_QUEUES};
  REFUSED(xb_submit(u->device, &s, NULL, &err), &err, XB_INVALID, "queue 16 does not exist");
  assert_int_equal(host_alive().submissions, 0);
  s.after_count = 1; /* a zero point is always reached */
  assert_int_equal(xb_submit(u->device, &s, NULL, &err), XB_OK);
}

UNIT(wait_refused)
{
  unit *u = *state;
  xb_error err;
  bool reached;
  const xb_point point = {.value = 1}, zero = {0}, nowhere = {.queue = XB_MAX_QUEUES};
  REFUSED(xb_wait(NULL, zero, 1, &err), &err, XB_INVALID, "no device");
  REFUSED(xb_wait(u->device, point, 1, &err), &err, XB_INVALID, "point 1 of compute queue 0 was never submitted");
  REFUSED(xb_wait(u->device, nowhere, 1, &err), &err, XB_INVALID, "queue 16");
  REFUSED(xb_poll(NULL, zero, &reached, &err), &err, XB_INVALID, "no device");
  REFUSED(xb_poll(u->device, point, &reached, &err), &err, XB_INVALID, "never submitted");
  REFUSED(xb_poll(u->device, zero, NULL, &err), &err, XB_INVALID, "the result pointer is NULL");
  const uint64_t calls = host_calls();
  assert_int_equal(xb_wait(u->device, zero, 0, &err), XB_OK);
  assert_int_equal(xb_poll(u->device, zero, &reached, &err), XB_OK);
  assert_true(reached);
  assert_int_equal(host_calls(), calls);
}

UNIT(polling)
{
  unit *u = *state;
  for (uint64_t i = 0; i < 4; i++)
    xb_cmd_fill(u->c, u->a, i * 4, 4, 1);
  const xb_point point = unit_submit(u->device, u->c);
  bool reached = true;
  int asked = 0;
  for (; asked == 0 || !reached; asked++)
    assert_int_equal(xb_poll(u->device, point, &reached, NULL), XB_OK);
  assert_int_equal(asked, 4); /* a lazy host runs one command per poll */
  const uint64_t calls = host_calls();
  unit_wait(u->device, point); /* already known */
  assert_int_equal(host_calls(), calls);
}

/* The host's view changes only in submit and wait, where core calls flush and invalidate. */
UNIT(host_views)
{
  unit *u = *state;
  xb_buffer *up = unit_buffer(u->device, XB_MEM_UPLOAD, 64), *down = unit_buffer(u->device, XB_MEM_READBACK, 64);
  xb_cmd_copy(u->c, u->a, 0, up, 0, 64);
  xb_cmd_barrier(u->c);
  xb_cmd_copy(u->c, down, 0, u->a, 0, 64);
  uint32_t *in = xb_buffer_host(up), *out = xb_buffer_host(down);
  for (uint32_t round = 0; round < 3; round++) {
    *in = 0x1000 + round;
    const uint32_t before = *out;
    const xb_point point = unit_submit(u->device, u->c);
    assert_int_equal(*out, before);
    *in = 0xdead; /* after the submission: it must not see this */
    unit_wait(u->device, point);
    assert_int_equal(*out, 0x1000 + round);
  }
  xb_buffer_destroy(up);
  xb_buffer_destroy(down);
}

/* A queue completes its work in order: if a point is reached, so are earlier ones. Completed work is retired when
 * polled. */
UNIT(a_later_point_reaches_the_earlier)
{
  unit *u = *state;
  host_set_mode(HOST_WAITED);
  const xb_point first = unit_submit(u->device, u->c), second = unit_submit(u->device, u->c);
  assert_true(second.value > first.value);
  unit_wait(u->device, second);
  const uint64_t calls = host_calls();
  unit_wait(u->device, first);
  assert_int_equal(host_calls(), calls);
}

UNIT(points_across_queues)
{
  unit *u = *state;
  host_set_mode(HOST_WAITED);
  xb_buffer *down = unit_buffer(u->device, XB_MEM_READBACK, 4);
  xb_commands *copy = unit_commands(u->device, XB_QUEUE_COPY, 0);
  xb_cmd_fill(u->c, u->a, 0, 4, 7);
  xb_cmd_copy(copy, down, 0, u->a, 0, 4);
  xb_point filled = unit_submit(u->device, u->c), copied;
  xb_submission s = {.commands = copy, .after = &filled, .after_count = 1};
  assert_int_equal(xb_submit(u->device, &s, &copied, NULL), XB_OK);
  assert_int_equal(copied.queue, XB_QUEUE_COPY);
  unit_wait(u->device, copied);
  assert_int_equal(*(uint32_t *)xb_buffer_host(down), 7);
  /* The backend need not wait for a point of the same queue, or for a reached one. */
  assert_int_equal(xb_submit(u->device, &s, &copied, NULL), XB_OK);
  xb_submission again = {.commands = copy, .after = &copied, .after_count = 1};
  assert_int_equal(xb_submit(u->device, &again, &copied, NULL), XB_OK);
  unit_wait(u->device, copied);
  xb_commands_destroy(copy);
  xb_buffer_destroy(down);
}

/* A wait that reaches its point and has something to report: the work is done, and the device lives. */
UNIT_BARE(a_wait_with_a_message)
{
  xb_error err;
  xb_device *device = unit_open(0);
  xb_commands *c = unit_commands(device, XB_QUEUE_COMPUTE, 1);
  double ns;
  xb_cmd_timestamp(c, 0);
  const xb_point done = unit_submit(device, c);
  host_report_at_wait(XB_INTERNAL);
  REFUSED(xb_wait(device, done, patience_ns(), &err), &err, XB_INTERNAL, "a message");
  assert_int_equal(xb_device_status(device), XB_OK);
  assert_int_equal(xb_commands_timestamps(c, &ns, 1, &err), XB_OK);
  unit_wait(device, unit_submit(device, c));
  xb_commands_destroy(c);
  unit_close(device);
}

/* The same while closing: what is reported is returned, and the device was closed, not abandoned. */
UNIT_BARE(close_with_a_message)
{
  xb_error err;
  host_set_mode(HOST_WAITED);
  xb_device *device = unit_open(0);
  xb_commands *c = unit_commands(device, XB_QUEUE_COMPUTE, 0);
  unit_submit(device, c);
  xb_commands_destroy(c);
  host_report_at_wait(XB_INTERNAL);
  REFUSED(xb_device_close(device, &err), &err, XB_INTERNAL, "a message");
  assert_int_equal(host_alive().devices, 0);
}

UNIT_BARE(close_waits)
{
  host_set_mode(HOST_WAITED);
  xb_device *device = unit_open(0);
  for (int i = 0; i < 2; i++) {
    xb_commands *c = unit_commands(device, i ? XB_QUEUE_COPY : XB_QUEUE_COMPUTE, 0);
    unit_submit(device, c);
    xb_commands_destroy(c);
  }
  assert_int_equal(host_alive().submissions, 2);
  unit_close(device);
}

/* ---- Timestamps ------------------------------------------------------------------------------------------------- */

static xb_commands *stamped_list(const unit *u)
{
  xb_commands *c = unit_commands(u->device, XB_QUEUE_COMPUTE, 2);
  xb_cmd_timestamp(c, 1); /* index 0 comes later: ns[1] is negative */
  xb_cmd_fill(c, u->a, 0, 4, 0);
  xb_cmd_timestamp(c, 0);
  return c;
}

UNIT(timestamps)
{
  unit *u = *state;
  xb_commands *c = stamped_list(u);
  double ns[2] = {9, 9};
  unit_wait(u->device, unit_submit(u->device, c));
  assert_int_equal(xb_commands_timestamps(c, ns, 2, NULL), XB_OK);
  assert_true(ns[0] == 0 && ns[1] <= -20);
  const double before = ns[1];
  ns[1] = 9;
  assert_int_equal(xb_commands_timestamps(c, ns, 2, NULL), XB_OK); /* still there */
  assert_true(ns[1] == before);
  xb_commands_destroy(c);
}

UNIT(timestamps_refused)
{
  unit *u = *state;
  xb_commands *c = stamped_list(u);
  xb_error err;
  double ns[3];
  REFUSED(xb_commands_timestamps(NULL, ns, 2, &err), &err, XB_INVALID, "2 timestamps requested, the list has 0");
  REFUSED(xb_commands_timestamps(c, NULL, 2, &err), &err, XB_INVALID, "timestamps requested");
  REFUSED(xb_commands_timestamps(c, ns, 3, &err), &err, XB_INVALID, "3 timestamps requested, the list has 2");
  REFUSED(xb_commands_timestamps(u->c, ns, 0, &err), &err, XB_INVALID, "the list has 0");
  REFUSED(xb_commands_timestamps(c, ns, 2, &err), &err, XB_INVALID, "'list' was never submitted");
  host_set_mode(HOST_WAITED);
  const xb_point point = unit_submit(u->device, c);
  REFUSED(xb_commands_timestamps(c, ns, 2, &err), &err, XB_INVALID, "'list' was not waited for");
  unit_wait(u->device, point);
  assert_int_equal(xb_commands_timestamps(c, ns, 2, &err), XB_OK);
  xb_commands_destroy(c);
}

UNIT(again_before_reading)
{
  unit *u = *state;
  xb_commands *c = stamped_list(u);
  const xb_submission s = {.commands = c};
  xb_error err;
  double ns[2];
  xb_point point = unit_submit(u->device, c);
  REFUSED(xb_submit(u->device, &s, NULL, &err), &err, XB_INVALID, "'list' has timestamps");
  unit_wait(u->device, point);
  REFUSED(xb_submit(u->device, &s, NULL, &err), &err, XB_INVALID, "were not read");
  assert_int_equal(xb_commands_timestamps(c, ns, 2, &err), XB_OK);
  point = unit_submit(u->device, c);
  unit_wait(u->device, point);
  host_fail_call(1, XB_INTERNAL); /* a failed read does not count as a read */
  assert_int_equal(xb_commands_timestamps(c, ns, 2, &err), XB_INTERNAL);
  REFUSED(xb_submit(u->device, &s, NULL, &err), &err, XB_INVALID, "were not read");
  xb_commands_destroy(c);
}
