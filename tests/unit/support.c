#include "support.h"
#include "patience.h"

#include <stdlib.h>
#include <string.h>

const xb_backend unit_other_version = {.version = XB_BACKEND_VERSION + 1, .name = "other"};
const xb_backend *const xb_builtin_backends[] = {&xb_backend_host, &unit_other_version, NULL};

static void bump(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                 const void *args)
{
  (void)group, (void)groups, (void)sizes, (void)args;
  if (bindings[0])
    ++*(uint32_t *)bindings[0];
}

static void look(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                 const void *args)
{
  (void)group, (void)groups, (void)bindings, (void)sizes, (void)args;
}

host_code unit_code(uint32_t bindings, uint32_t read_only, uint32_t arg_bytes)
{
  host_code code = {.entry = "main",
                    .run = read_only & 1 ? look : bump,
                    .group_size = {4, 1, 1},
                    .used_bindings = (uint32_t)((UINT64_C(1) << bindings) - 1),
                    .read_only_bindings = read_only,
                    .arg_bytes = arg_bytes};
  host_seal(&code);
  return code;
}

xb_kernel_desc unit_kernel_desc(const host_code *code)
{
  uint32_t bindings = 0;
  while ((uint64_t)code->used_bindings >> bindings)
    bindings++;
  return (xb_kernel_desc){.label = "kernel",
                          .code = code,
                          .code_bytes = sizeof *code,
                          .entry = "main",
                          .group_size = {4, 1, 1},
                          .binding_count = bindings,
                          .arg_bytes = code->arg_bytes};
}

static void check(xb_code code, const xb_error *err)
{
  if (code)
    fail_msg("%s: %s", xb_code_name(code), err->message);
}

xb_device *unit_open(uint32_t index)
{
  xb_device *device;
  xb_error err;
  check(xb_device_open(&(xb_device_desc){.backend = &xb_backend_host, .index = index}, &device, &err), &err);
  return device;
}

void unit_close(xb_device *device)
{
  xb_error err;
  check(xb_device_close(device, &err), &err);
}

xb_buffer *unit_buffer(xb_device *device, xb_mem mem, uint64_t bytes)
{
  xb_buffer *buffer;
  xb_error err;
  check(xb_buffer_create(device, &(xb_buffer_desc){.label = "buf", .mem = mem, .bytes = bytes}, &buffer, &err), &err);
  return buffer;
}

xb_kernel *unit_kernel(xb_device *device, const char *label, uint32_t bindings, uint32_t read_only, uint32_t arg_bytes)
{
  const host_code code = unit_code(bindings, read_only, arg_bytes);
  xb_kernel_desc desc = unit_kernel_desc(&code);
  desc.label = label;
  xb_kernel *kernel;
  xb_error err;
  check(xb_kernel_create(device, &desc, &kernel, &err), &err);
  return kernel;
}

xb_commands *unit_commands(xb_device *device, xb_queue queue, uint32_t timestamps)
{
  xb_commands *c;
  xb_error err;
  const xb_commands_desc desc = {.label = "list", .queue = queue, .timestamp_count = timestamps};
  check(xb_commands_create(device, &desc, &c, &err), &err);
  return c;
}

void unit_dispatch(xb_commands *c, xb_kernel *kernel, const xb_binding *bindings, uint32_t count)
{
  xb_cmd_dispatch(c,
                  &(xb_dispatch){.kernel = kernel, .bindings = bindings, .binding_count = count, .groups = {1, 1, 1}});
}

xb_point unit_submit(xb_device *device, xb_commands *c)
{
  xb_point point;
  xb_error err;
  check(xb_submit(device, &(xb_submission){.commands = c}, &point, &err), &err);
  return point;
}

void unit_wait(xb_device *device, xb_point point)
{
  xb_error err;
  check(xb_wait(device, point, patience_ns(), &err), &err);
}

void unit_refused(xb_code got, const xb_error *err, xb_code code, const char *text, const char *file, int line)
{
  if (got != code)
    fail_msg("%s:%d: %s instead of %s", file, line, xb_code_name(got), xb_code_name(code));
  if (err->code != code)
    fail_msg("%s:%d: the error says %s, the call %s", file, line, xb_code_name(err->code), xb_code_name(code));
  if (!strstr(err->message, text))
    fail_msg("%s:%d: '%s' does not say '%s'", file, line, err->message, text);
}

void unit_clean(const char *file, int line)
{
  const host_live live = host_alive();
  if (live.devices || live.buffers || live.kernels || live.commands || live.submissions || live.device_bytes)
    fail_msg("%s:%d: left: %zu devices, %zu buffers, %zu kernels, %zu lists, %zu submissions", file, line, live.devices,
             live.buffers, live.kernels, live.commands, live.submissions);
  if (host_broken_promise())
    fail_msg("%s:%d: broken promise: %s", file, line, host_broken_promise());
}

int unit_setup_bare(void **state)
{
  host_reset();
  *state = NULL;
  return 0;
}

int unit_teardown_bare(void **state)
{
  (void)state;
  unit_clean(__FILE__, __LINE__);
  return 0;
}

int unit_setup(void **state)
{
  host_reset();
  unit *u = calloc(1, sizeof *u);
  u->device = unit_open(0);
  u->a = unit_buffer(u->device, XB_MEM_DEVICE, 1024);
  u->b = unit_buffer(u->device, XB_MEM_DEVICE, 1024);
  u->reader = unit_kernel(u->device, "reader", 1, 1, 0);
  u->writer = unit_kernel(u->device, "writer", 1, 0, 0);
  u->two = unit_kernel(u->device, "two", 2, 0, 8);
  u->c = unit_commands(u->device, XB_QUEUE_COMPUTE, 0);
  *state = u;
  return 0;
}

int unit_teardown(void **state)
{
  unit *u = *state;
  xb_commands_destroy(u->c);
  xb_kernel_destroy(u->reader);
  xb_kernel_destroy(u->writer);
  xb_kernel_destroy(u->two);
  xb_buffer_destroy(u->a);
  xb_buffer_destroy(u->b);
  unit_close(u->device);
  free(u);
  unit_clean(__FILE__, __LINE__);
  return 0;
}
