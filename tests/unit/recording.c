/* Commands that a list refuses to record, and how the error is returned. */
#include "support.h"

#include <string.h>

/* The list failed with this error. Finish and submit both return it, and no work reached the backend. */
static void stuck(const unit *u, xb_code code, const char *text, int line)
{
  xb_error err = {0};
  unit_refused(xb_commands_finish(u->c, &err), &err, code, text, __FILE__, line);
  unit_refused(xb_submit(u->device, &(xb_submission){.commands = u->c}, NULL, &err), &err, code, text, __FILE__, line);
  assert_int_equal(host_alive().submissions, 0);
}

/* Each invalid command needs a new list. */
static void renew(unit *u)
{
  xb_commands_destroy(u->c);
  u->c = unit_commands(u->device, XB_QUEUE_COMPUTE, 0);
}

#define STUCK(u, code, text)                                                                                           \
  do {                                                                                                                 \
    stuck(u, code, text, __LINE__);                                                                                    \
    renew(u);                                                                                                          \
  } while (0)

UNIT(ranges)
{
  unit *u = *state;
  xb_device *elsewhere = unit_open(1);
  xb_buffer *foreign = unit_buffer(elsewhere, XB_MEM_DEVICE, 64);
  xb_cmd_fill(u->c, NULL, 0, 4, 0);
  STUCK(u, XB_INVALID, "fill: destination has no buffer");
  xb_cmd_fill(u->c, foreign, 0, 4, 0);
  STUCK(u, XB_INVALID, "'buf' belongs to another device");
  xb_cmd_fill(u->c, u->a, 0, 0, 0);
  STUCK(u, XB_INVALID, "offset 0, 0 bytes");
  xb_cmd_fill(u->c, u->a, 2, 4, 0);
  STUCK(u, XB_INVALID, "offset 2, 4 bytes");
  xb_cmd_fill(u->c, u->a, 0, 6, 0);
  STUCK(u, XB_INVALID, "offset 0, 6 bytes");
  xb_cmd_fill(u->c, u->a, 1020, 8, 0);
  STUCK(u, XB_INVALID, "go past the end of buffer 'buf' of 1024 bytes");
  xb_cmd_fill(u->c, u->a, 1028, 4, 0);
  STUCK(u, XB_INVALID, "offset 1028, 4 bytes go past the end");
  xb_cmd_fill(u->c, u->a, 4, UINT64_MAX - 3, 0); /* the sum overflows */
  STUCK(u, XB_INVALID, "go past the end");
  xb_cmd_copy(u->c, u->a, 0, NULL, 0, 4);
  STUCK(u, XB_INVALID, "copy: source has no buffer");
  xb_cmd_copy(u->c, NULL, 0, u->a, 0, 4);
  STUCK(u, XB_INVALID, "copy: destination has no buffer");
  xb_cmd_copy(u->c, u->a, 0, u->b, 1000, 28);
  STUCK(u, XB_INVALID, "source: offset 1000, 28 bytes go past the end");
  xb_cmd_copy(u->c, u->a, 1000, u->b, 0, 28);
  STUCK(u, XB_INVALID, "destination: offset 1000, 28 bytes go past the end");
  xb_buffer_destroy(foreign);
  unit_close(elsewhere);
}

UNIT(bindings)
{
  unit *u = *state;
  static const struct {
    xb_binding binding;
    const char *text;
  } bad[] = {
      {{.kind = XB_BINDING_TILES + 1}, "writer: binding 0: kind 8 does not exist"},
      {{.kind = XB_BINDING_UNIFORM, .access = XB_WRITE}, "writer: binding 0: a uniform buffer can only be read"},
      {{.kind = XB_BINDING_UNIFORM}, "1024 bytes, this device allows 512 per uniform buffer"},
      {{.kind = XB_BINDING_UNIFORM, .offset = 64, .size = 64}, "offset 64 is not a multiple of 128"},
      {{.kind = XB_BINDING_UNIFORM, .size = 64}, "binding 0 is bound as a uniform buffer, the code has a storage buf"},
      {{.access = XB_DISJOINT_WRITE + 1}, "binding 0: access 5 does not exist"},
      {{.access = XB_WRITE, .offset = 1}, "offset 1 is not a multiple of 64"},
      {{.access = XB_WRITE, .offset = 960, .size = 65}, "offset 960, 65 bytes go past the end"},
      {{.access = XB_WRITE, .offset = 1024}, "offset 1024, 0 bytes"},
      {{.access = XB_WRITE, .offset = 4, .size = 4}, "offset 4 is not a multiple of 64"},
      {{.access = XB_WRITE, .offset = 64, .size = 1024}, "go past the end"},
      {{.access = XB_READ}, "binding 0 is declared as read, but the code can write it"},
  };
  for (size_t i = 0; i < COUNT(bad); i++) {
    xb_binding b = bad[i].binding;
    b.buffer = u->a;
    unit_dispatch(u->c, u->writer, &b, 1);
    STUCK(u, XB_INVALID, bad[i].text);
  }
  unit_dispatch(u->c, u->writer, &(xb_binding){.access = XB_WRITE}, 1);
  STUCK(u, XB_INVALID, "binding 0 has no buffer");
  unit_dispatch(u->c, u->writer, NULL, 1);
  STUCK(u, XB_INVALID, "1 bindings given, but `bindings` is NULL");
  unit_dispatch(u->c, u->reader, &(xb_binding){.buffer = u->a, .access = XB_WRITE}, 1);
  STUCK(u, XB_INVALID, "reader: binding 0 is declared as written, but the code can only read it");

  xb_buffer *large = unit_buffer(u->device, XB_MEM_DEVICE, HOST_MAX_BINDING + 64);
  unit_dispatch(u->c, u->writer, &(xb_binding){.buffer = large, .access = XB_WRITE}, 1);
  STUCK(u, XB_INVALID, "1048640 bytes, this device allows 1048576 per binding: split the work into windows");
  unit_dispatch(u->c, u->writer, &(xb_binding){.buffer = large, .offset = 64, .access = XB_WRITE}, 1);
  assert_int_equal(xb_commands_finish(u->c, NULL), XB_OK);
  xb_buffer_destroy(large);
}

UNIT(dispatches)
{
  unit *u = *state;
  const xb_binding one = {.buffer = u->a, .access = XB_READ_WRITE};
  const xb_binding pair[] = {one, {.buffer = u->b, .access = XB_WRITE}};
  const uint32_t args[2] = {1, 2};
  const xb_dispatch good = {
      .kernel = u->two, .bindings = pair, .binding_count = 2, .args = args, .arg_bytes = 8, .groups = {1, 1, 1}};
  xb_dispatch d;
  xb_cmd_dispatch(u->c, NULL);
  STUCK(u, XB_INVALID, "no kernel of this device");
  d = good, d.kernel = NULL;
  xb_cmd_dispatch(u->c, &d);
  STUCK(u, XB_INVALID, "no kernel of this device");
  xb_device *elsewhere = unit_open(1);
  d = good, d.kernel = unit_kernel(elsewhere, "k", 1, 0, 0);
  xb_cmd_dispatch(u->c, &d);
  STUCK(u, XB_INVALID, "no kernel of this device");
  xb_kernel_destroy(d.kernel);
  unit_close(elsewhere);
  d = good, d.binding_count = 1;
  xb_cmd_dispatch(u->c, &d);
  STUCK(u, XB_INVALID, "two: 1 bindings given, the kernel takes 2");
  d = good, d.arg_bytes = 4;
  xb_cmd_dispatch(u->c, &d);
  STUCK(u, XB_INVALID, "4 bytes of arguments given, the kernel takes 8");
  d = good, d.args = NULL;
  xb_cmd_dispatch(u->c, &d);
  STUCK(u, XB_INVALID, "0 bytes of arguments given, the kernel takes 8");
  d = good, d.groups[1] = 0;
  xb_cmd_dispatch(u->c, &d);
  STUCK(u, XB_INVALID, "0 groups in dimension 1");
  d = good, d.groups[2] = HOST_MAX_GROUPS + 1;
  xb_cmd_dispatch(u->c, &d);
  STUCK(u, XB_INVALID, "65 groups in dimension 2, this device allows 1 to 64");
  xb_cmd_dispatch(u->c, &good);
  assert_int_equal(xb_commands_finish(u->c, NULL), XB_OK);
}

UNIT(copy_queue)
{
  unit *u = *state;
  xb_commands_destroy(u->c);
  u->c = unit_commands(u->device, XB_QUEUE_COPY, 0);
  unit_dispatch(u->c, u->writer, &(xb_binding){.buffer = u->a, .access = XB_WRITE}, 1);
  STUCK(u, XB_INVALID, "writer: a copy queue does not support dispatches");
}

/* If a device does not know which bindings code can write, any declared access is accepted. */
UNIT_BARE(access_unknown)
{
  xb_device *device = unit_open(1);
  xb_buffer *buffer = unit_buffer(device, XB_MEM_DEVICE, 64);
  xb_kernel *writer = unit_kernel(device, "writer", 1, 0, 0);
  xb_commands *c = unit_commands(device, XB_QUEUE_COMPUTE, 0);
  unit_dispatch(c, writer, &(xb_binding){.buffer = buffer, .access = XB_READ}, 1);
  assert_int_equal(xb_commands_finish(c, NULL), XB_OK);
  xb_commands_destroy(c);
  xb_kernel_destroy(writer);
  xb_buffer_destroy(buffer);
  unit_close(device);
}

static xb_code native_fn(const xb_native *native, void *user, xb_error *err)
{
  assert_string_equal(native->backend, "host");
  assert_non_null(native->device);
  assert_non_null(native->commands);
  const xb_code wanted = *(xb_code *)user;
  *(xb_code *)user = (xb_code)99; /* shows that it was called */
  return wanted == XB_INVALID ? xb_fail(err, wanted, "native_fn", "on purpose") : wanted;
}

UNIT(native)
{
  unit *u = *state;
  xb_code result = XB_OK;
  xb_cmd_native(u->c, NULL, NULL, NULL, 0);
  STUCK(u, XB_INVALID, "no function given");
  xb_binding many[XB_MAX_BINDINGS + 1];
  for (size_t i = 0; i < COUNT(many); i++)
    many[i] = (xb_binding){.buffer = u->a};
  xb_cmd_native(u->c, native_fn, &result, many, COUNT(many));
  STUCK(u, XB_INVALID, "33 bindings, at most 32");
  assert_int_equal(result, XB_OK);
  xb_cmd_native(u->c, native_fn, &result, many, XB_MAX_BINDINGS);
  assert_int_equal(result, 99);
  assert_int_equal(xb_commands_finish(u->c, NULL), XB_OK);
  renew(u);
  result = XB_INVALID;
  xb_cmd_native(u->c, native_fn, &result, NULL, 0);
  STUCK(u, XB_INVALID, "native_fn: on purpose");
  result = XB_UNSUPPORTED; /* without a message */
  xb_cmd_native(u->c, native_fn, &result, NULL, 0);
  STUCK(u, XB_UNSUPPORTED, "list: recording failed");
}

UNIT(timestamps)
{
  unit *u = *state;
  xb_cmd_timestamp(u->c, 0);
  STUCK(u, XB_INVALID, "timestamp 0 of 0 does not exist");
  xb_commands_destroy(u->c);
  u->c = unit_commands(u->device, XB_QUEUE_COMPUTE, 2);
  xb_cmd_timestamp(u->c, 1);
  xb_cmd_timestamp(u->c, 1);
  STUCK(u, XB_INVALID, "timestamp 1 of 2 is recorded twice");
  xb_commands_destroy(u->c);
  u->c = unit_commands(u->device, XB_QUEUE_COMPUTE, 2);
  xb_cmd_timestamp(u->c, 0);
  STUCK(u, XB_INVALID, "timestamp 1 of 2 was not recorded in 'list'");
}

UNIT(the_first_error_sticks)
{
  unit *u = *state;
  xb_cmd_fill(u->c, u->a, 0, 4, 0);
  xb_cmd_fill(u->c, u->a, 2, 4, 0);
  const uint64_t calls = host_calls();
  const xb_binding b = {.buffer = u->a, .access = XB_WRITE};
  xb_code result = XB_OK;
  xb_cmd_fill(u->c, NULL, 0, 4, 0);
  xb_cmd_copy(u->c, u->a, 0, u->b, 0, 4);
  xb_cmd_barrier(u->c);
  xb_cmd_timestamp(u->c, 7);
  xb_cmd_native(u->c, native_fn, &result, NULL, 0);
  unit_dispatch(u->c, u->writer, &b, 1);
  assert_int_equal(host_calls(), calls);
  assert_int_equal(result, XB_OK);
  STUCK(u, XB_INVALID, "offset 2, 4 bytes");
}

UNIT(a_finished_list_is_closed)
{
  unit *u = *state;
  xb_error err;
  REFUSED(xb_commands_finish(NULL, &err), &err, XB_INVALID, "no command list");
  assert_int_equal(xb_commands_finish(u->c, &err), XB_OK);
  assert_int_equal(xb_commands_finish(u->c, &err), XB_OK);
  xb_cmd_barrier(u->c);
  STUCK(u, XB_INVALID, "command list 'list' is finished");
  unit_wait(u->device, unit_submit(u->device, u->c)); /* finishes it */
  xb_cmd_fill(u->c, u->a, 0, 4, 0);
  REFUSED(xb_commands_finish(u->c, &err), &err, XB_INVALID, "is finished");
}

UNIT(a_failed_finish_stays_failed)
{
  unit *u = *state;
  xb_error err;
  host_fail_call(1, XB_NOMEM);
  REFUSED(xb_commands_finish(u->c, &err), &err, XB_NOMEM, "commands_finish");
  STUCK(u, XB_NOMEM, "commands_finish");
}

/* The host device has no texel buffers: it gets some here. A view may have as many texels as the limit says. */
UNIT(most_texels)
{
  unit *u = *state;
  xb_device_info *info = (xb_device_info *)(uintptr_t)xb_device_get_info(u->device);
  xb_kernel_info *kernel = (xb_kernel_info *)(uintptr_t)xb_kernel_get_info(u->reader);
  info->max_texels = info->texel_align = 16;
  kernel->texel_bindings = 1;
  for (uint64_t count = 16; count <= 17; count++) {
    xb_error err;
    const xb_binding b = {.buffer = u->a,
                          .size = 4 * count,
                          .access = XB_READ,
                          .kind = XB_BINDING_TEXELS,
                          .format = XB_TEXEL_FLOAT32,
                          .channels = 1};
    unit_dispatch(u->c, u->reader, &b, 1);
    if (count == 16)
      assert_int_equal(xb_commands_finish(u->c, &err), XB_OK);
    else
      REFUSED(xb_commands_finish(u->c, &err), &err, XB_INVALID, "17 texels, this device allows 16");
    xb_commands_destroy(u->c);
    u->c = unit_commands(u->device, XB_QUEUE_COMPUTE, 0);
  }
  kernel->texel_bindings = 0;
}

/* As many groups as the device allows, in each dimension. */
UNIT(most_groups)
{
  unit *u = *state;
  const xb_binding b = {.buffer = u->a, .size = 256, .access = XB_READ};
  const uint32_t *most = xb_device_get_info(u->device)->max_groups;
  xb_error err;
  for (int i = 0; i < 3; i++) {
    xb_dispatch d = {.kernel = u->reader, .bindings = &b, .binding_count = 1, .groups = {1, 1, 1}};
    d.groups[i] = most[i];
    xb_cmd_dispatch(u->c, &d);
  }
  assert_int_equal(xb_commands_finish(u->c, &err), XB_OK);
}
