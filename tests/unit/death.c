/* After XB_TIMEOUT or XB_LOST: every call returns this code, destroying only frees memory, and nothing leaks. The host
 * backend notes any other call. */
#include "patience.h"
#include "support.h"

typedef struct grave {
  xb_device *device;
  xb_buffer *up, *down, *a;
  xb_kernel *kernel;
  xb_commands *finished, *recording, *stamped;
  xb_point first, running; /* already waited for; still in flight */
} grave;

static grave dig(host_mode mode)
{
  grave g = {.device = unit_open(0)};
  host_set_mode(HOST_WAITED);
  g.up = unit_buffer(g.device, XB_MEM_UPLOAD, 64);
  g.down = unit_buffer(g.device, XB_MEM_READBACK, 64);
  g.a = unit_buffer(g.device, XB_MEM_DEVICE, 64);
  g.kernel = unit_kernel(g.device, "k", 1, 0, 0);
  g.finished = unit_commands(g.device, XB_QUEUE_COMPUTE, 0);
  g.recording = unit_commands(g.device, XB_QUEUE_COMPUTE, 0);
  g.stamped = unit_commands(g.device, XB_QUEUE_COMPUTE, 1);
  xb_cmd_timestamp(g.stamped, 0);
  xb_cmd_copy(g.finished, g.a, 0, g.up, 0, 64);
  xb_cmd_barrier(g.finished);
  xb_cmd_copy(g.finished, g.down, 0, g.a, 0, 64);
  unit_submit(g.device, g.stamped);
  g.first = unit_submit(g.device, g.finished);
  unit_wait(g.device, g.first);
  host_set_mode(mode);
  g.running = unit_submit(g.device, g.finished);
  return g;
}

static xb_code native_fn(const xb_native *native, void *user, xb_error *err)
{
  (void)native, (void)err;
  *(bool *)user = true;
  return XB_OK;
}

static void everything_refused(const grave *g, xb_code dead)
{
  const char *const text = dead == XB_TIMEOUT ? "did not finish within" : "was lost";
  const uint64_t calls = host_calls();
  xb_error err;
  assert_int_equal(xb_device_status(g->device), dead);
  xb_buffer *buffer = g->a;
  REFUSED(xb_buffer_create(g->device, &(xb_buffer_desc){.bytes = 4}, &buffer, &err), &err, dead, text);
  assert_null(buffer);
  const host_code code = unit_code(1, 0, 0);
  const xb_kernel_desc desc = unit_kernel_desc(&code);
  xb_kernel *kernel = g->kernel;
  REFUSED(xb_kernel_create(g->device, &desc, &kernel, &err), &err, dead, text);
  assert_null(kernel);
  xb_commands *c = g->finished;
  REFUSED(xb_commands_create(g->device, &(xb_commands_desc){0}, &c, &err), &err, dead, text);
  assert_null(c);
  REFUSED(xb_submit(g->device, &(xb_submission){.commands = g->finished}, NULL, &err), &err, dead, text);
  REFUSED(xb_wait(g->device, g->running, 1, &err), &err, dead, text);
  REFUSED(xb_wait(g->device, g->first, 1, &err), &err, dead, text);
  bool reached;
  REFUSED(xb_poll(g->device, g->running, &reached, &err), &err, dead, text);
  double ns;
  REFUSED(xb_commands_timestamps(g->stamped, &ns, 1, &err), &err, dead, text);
  REFUSED(xb_commands_times(g->stamped, &ns, 1, &err), &err, dead, text);
  REFUSED(xb_device_calibrate(g->device, &ns, &err), &err, dead, text);
  REFUSED(xb_commands_finish(g->finished, &err), &err, dead, text);
  assert_int_equal(xb_device_free_bytes(g->device), 0);

  uint32_t word = 0;
  REFUSED(xb_upload(g->a, 0, &word, 4, &err), &err, dead, text);
  REFUSED(xb_download(g->a, 0, &word, 4, &err), &err, dead, text);

  bool called = false;
  REFUSED(xb_device_native(g->device, native_fn, &called, &err), &err, dead, text);
  xb_cmd_fill(g->recording, g->a, 0, 4, 0);
  xb_cmd_copy(g->recording, g->down, 0, g->a, 0, 4);
  xb_cmd_barrier(g->recording);
  xb_cmd_timestamp(g->recording, 0);
  xb_cmd_native(g->recording, native_fn, &called, NULL, 0);
  unit_dispatch(g->recording, g->kernel, &(xb_binding){.buffer = g->a, .access = XB_WRITE}, 1);
  REFUSED(xb_commands_finish(g->recording, &err), &err, dead, ""); /* or its own error, if that lost the device */
  assert_false(called);
  assert_int_equal(host_calls(), calls);
  assert_string_equal(xb_device_get_info(g->device)->name, "host device 0");
}

static void bury(grave *g)
{
  xb_commands_destroy(g->recording);
  xb_commands_destroy(g->finished);
  xb_commands_destroy(g->stamped);
  xb_kernel_destroy(g->kernel);
  xb_buffer_destroy(g->up);
  xb_buffer_destroy(g->down);
  xb_buffer_destroy(g->a);
  unit_close(g->device);
  unit_clean(__FILE__, __LINE__);
  host_reset();
}

UNIT_BARE(a_wait_runs_out)
{
  grave g = dig(HOST_HUNG);
  bool reached = true;
  xb_error err;
  assert_int_equal(xb_poll(g.device, g.running, &reached, &err), XB_OK);
  assert_false(reached);
  assert_int_equal(xb_device_status(g.device), XB_OK);
  REFUSED(xb_wait(g.device, g.running, 1500000000, &err), &err, XB_TIMEOUT, "did not finish within 1.5 s");
  everything_refused(&g, XB_TIMEOUT);
  bury(&g);
}

/* With a limit of 0, a wait polls once. */
UNIT_BARE(a_wait_of_nothing)
{
  grave g = dig(HOST_WAITED);
  xb_error err;
  REFUSED(xb_wait(g.device, g.running, 0, &err), &err, XB_TIMEOUT, "did not finish");
  everything_refused(&g, XB_TIMEOUT);
  bury(&g);
}

typedef xb_code (*last_words)(grave *g, xb_error *err);

static xb_code by_wait(grave *g, xb_error *err)
{
  return xb_wait(g->device, g->running, patience_ns(), err);
}

static xb_code by_poll(grave *g, xb_error *err)
{
  bool reached;
  return xb_poll(g->device, g->running, &reached, err);
}

static xb_code by_submit(grave *g, xb_error *err)
{
  return xb_submit(g->device, &(xb_submission){.commands = g->finished}, NULL, err);
}

static xb_code by_buffer(grave *g, xb_error *err)
{
  xb_buffer *buffer;
  return xb_buffer_create(g->device, &(xb_buffer_desc){.bytes = 4}, &buffer, err);
}

static xb_code by_kernel(grave *g, xb_error *err)
{
  const host_code code = unit_code(1, 0, 0);
  const xb_kernel_desc desc = unit_kernel_desc(&code);
  xb_kernel *kernel;
  return xb_kernel_create(g->device, &desc, &kernel, err);
}

static xb_code by_list(grave *g, xb_error *err)
{
  xb_commands *c;
  return xb_commands_create(g->device, &(xb_commands_desc){0}, &c, err);
}

static xb_code by_recording(grave *g, xb_error *err)
{
  xb_cmd_barrier(g->recording);
  return xb_commands_finish(g->recording, err);
}

static xb_code by_finishing(grave *g, xb_error *err)
{
  return xb_commands_finish(g->recording, err);
}

static xb_code by_calibrating(grave *g, xb_error *err)
{
  double ns;
  return xb_device_calibrate(g->device, &ns, err);
}

static xb_code by_timestamps(grave *g, xb_error *err)
{
  double ns;
  return xb_commands_timestamps(g->stamped, &ns, 1, err);
}

/* Each call that can report a lost device. In it, the first `skip` calls of the backend succeed. */
UNIT_BARE(lost)
{
  static const struct {
    last_words speak;
    uint64_t calls;
  } ways[] = {
      {by_wait, 2},                      /* wait, invalidate */
      {by_poll, 1},      {by_submit, 2}, /* flush, submit */
      {by_buffer, 1},    {by_kernel, 1},     {by_list, 1},        {by_finishing, 1},
      {by_recording, 2}, {by_timestamps, 1}, {by_calibrating, 1},
  };
  for (size_t i = 0; i < COUNT(ways); i++)
    for (uint64_t k = 1; k <= ways[i].calls; k++) {
      grave g = dig(HOST_WAITED);
      xb_error err;
      host_fail_call(k, XB_LOST);
      REFUSED(ways[i].speak(&g, &err), &err, XB_LOST, "HOST_FAULT");
      assert_true(host_failed());
      everything_refused(&g, XB_LOST);
      bury(&g);
    }
}

/* After any other failure the device still works. */
UNIT(not_every_failure_kills)
{
  unit *u = *state;
  xb_error err;
  xb_buffer *buffer;
  host_fail_call(1, XB_NOMEM);
  assert_int_equal(xb_buffer_create(u->device, &(xb_buffer_desc){.bytes = 4}, &buffer, &err), XB_NOMEM);
  host_fail_call(1, XB_INTERNAL);
  assert_int_equal(xb_submit(u->device, &(xb_submission){.commands = u->c}, NULL, &err), XB_INTERNAL);
  assert_int_equal(xb_device_status(u->device), XB_OK);
}

UNIT_BARE(close_with_hung_work)
{
  xb_device *device = unit_open(0);
  xb_commands *c = unit_commands(device, XB_QUEUE_COMPUTE, 0);
  host_set_mode(HOST_HUNG);
  unit_submit(device, c);
  xb_commands_destroy(c);
  xb_error err;
  REFUSED(xb_device_close(device, &err), &err, XB_TIMEOUT, "within 10 s");
}

/* Other devices still work. */
UNIT(one_death_is_one_death)
{
  unit *u = *state;
  xb_device *other = unit_open(0);
  host_fail_call(1, XB_LOST);
  xb_buffer *buffer;
  assert_int_equal(xb_buffer_create(other, &(xb_buffer_desc){.bytes = 4}, &buffer, NULL), XB_LOST);
  unit_wait(u->device, unit_submit(u->device, u->c));
  unit_close(other);
}
