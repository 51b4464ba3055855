#include "suite.h"
#include "patience.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const xb_backend *suite_backend;
xb_device *suite_device;
const xb_device_info *suite_info;
uint32_t suite_wave;
int32_t suite_wanted_queues[2];

/* The objects that the running case created. */
static struct {
  xb_buffer *buffers[1024];
  xb_kernel *kernels[64];
  xb_commands *lists[256];
  size_t buffer_count, kernel_count, list_count;
} made;

uint32_t suite_device_index(void)
{
  const char *text = getenv("XB_TEST_DEVICE");
  return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

const char *suite_code(void)
{
  return suite_wave ? "vulkan" : xb_backend_name(suite_backend);
}

xb_device_desc suite_desc(void)
{
  return (xb_device_desc){.backend = suite_backend, .index = suite_device_index(), .wave = suite_wave};
}

int suite_open(void **state)
{
  (void)state;
  xb_error err = {0};
  const char *launch = getenv("XB_LAUNCH"); /* CUDA: "stream" or "held_stream" instead of graphs */
  xb_device_desc desc = suite_desc();
  desc.launch_mode = !launch ? XB_LAUNCH_DEFAULT : *launch == 'h' ? XB_LAUNCH_HELD_STREAM : XB_LAUNCH_STREAM;
  desc.compute_queues = suite_wanted_queues[0];
  desc.copy_queues = suite_wanted_queues[1];
  if (xb_device_open(&desc, &suite_device, &err)) {
    fprintf(stderr, "%s\n", err.message);
    return -1;
  }
  suite_info = xb_device_get_info(suite_device);
  return 0;
}

int suite_close(void **state)
{
  (void)state;
  xb_error err = {0};
  const xb_code dead = xb_device_status(suite_device);
  const xb_code code = xb_device_close(suite_device, &err);
  if (!dead && !code)
    return 0;
  fprintf(stderr, "at the end: %s %s\n", xb_code_name(dead ? dead : code), err.message);
  fflush(NULL);
  if (dead)
    _exit(1); /* the driver may wait for work that hangs */
  return -1;
}

int suite_end_case(void **state)
{
  (void)state;
  for (size_t i = 0; i < made.list_count; i++)
    xb_commands_destroy(made.lists[i]);
  for (size_t i = 0; i < made.kernel_count; i++)
    xb_kernel_destroy(made.kernels[i]);
  for (size_t i = 0; i < made.buffer_count; i++)
    xb_buffer_destroy(made.buffers[i]);
  made.list_count = made.kernel_count = made.buffer_count = 0;
  return 0;
}

xb_buffer *keep_buffer(xb_buffer *buffer)
{
  assert_true(made.buffer_count < COUNT(made.buffers));
  return made.buffers[made.buffer_count++] = buffer;
}

xb_kernel *keep_kernel(xb_kernel *kernel)
{
  assert_true(made.kernel_count < COUNT(made.kernels));
  return made.kernels[made.kernel_count++] = kernel;
}

xb_buffer *buffer_of(xb_mem mem, uint64_t bytes)
{
  xb_buffer *buffer;
  xb_error err;
  CHECK(xb_buffer_create(suite_device, &(xb_buffer_desc){.label = "data", .mem = mem, .bytes = bytes}, &buffer, &err),
        &err);
  return keep_buffer(buffer);
}

xb_kernel_desc desc_of(const char *name)
{
  xb_kernel_desc desc;
  if (!test_kernel(suite_code(), name, &desc))
    fail_msg("this build has no kernel '%s' for %s", name, suite_code());
  return desc;
}

xb_kernel *kernel_of(const char *name)
{
  const xb_kernel_desc desc = desc_of(name);
  xb_kernel *kernel;
  xb_error err;
  CHECK(xb_kernel_create(suite_device, &desc, &kernel, &err), &err);
  return keep_kernel(kernel);
}

xb_commands *list_of(xb_queue queue, uint32_t timestamps)
{
  xb_commands *c;
  xb_error err;
  const xb_commands_desc desc = {.label = "list", .queue = queue, .timestamp_count = timestamps};
  CHECK(xb_commands_create(suite_device, &desc, &c, &err), &err);
  assert_true(made.list_count < COUNT(made.lists));
  return made.lists[made.list_count++] = c;
}

xb_binding bound(xb_buffer *buffer, xb_access access)
{
  return (xb_binding){.buffer = buffer, .access = access};
}

void dispatch(xb_commands *c, xb_kernel *kernel, const char *name, const xb_binding *bindings, const void *args,
              uint32_t x, uint32_t y, uint32_t z)
{
  const xb_kernel_desc desc = desc_of(name);
  xb_cmd_dispatch(c, &(xb_dispatch){.kernel = kernel,
                                    .bindings = bindings,
                                    .binding_count = desc.binding_count,
                                    .args = args,
                                    .arg_bytes = desc.arg_bytes,
                                    .groups = {x, y, z}});
}

xb_point submit(xb_commands *c)
{
  xb_point point;
  xb_error err;
  CHECK(xb_submit(suite_device, &(xb_submission){.commands = c}, &point, &err), &err);
  return point;
}

void wait_for(xb_point point)
{
  xb_error err;
  CHECK(xb_wait(suite_device, point, patience_ns(), &err), &err);
}

void run(xb_commands *c)
{
  wait_for(submit(c));
}

void write_buffer(xb_buffer *buffer, uint64_t offset, const void *data, uint64_t bytes)
{
  xb_buffer *staging = buffer_of(XB_MEM_UPLOAD, bytes);
  memcpy(xb_buffer_host(staging), data, bytes);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy(c, buffer, offset, staging, 0, bytes);
  run(c);
}

void read_buffer(xb_buffer *buffer, uint64_t offset, void *data, uint64_t bytes)
{
  xb_buffer *staging = buffer_of(XB_MEM_READBACK, bytes);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_copy(c, staging, 0, buffer, offset, bytes);
  run(c);
  memcpy(data, xb_buffer_host(staging), bytes);
}

void fill_buffer(xb_buffer *buffer, uint32_t word)
{
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  xb_cmd_fill(c, buffer, 0, xb_buffer_bytes(buffer), word);
  run(c);
}

void output_of(xb_kernel *kernel, const char *name, const void *args, uint32_t groups, void *got, uint64_t bytes)
{
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, bytes);
  fill_buffer(buffer, 0);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  dispatch(c, kernel, name, (xb_binding[]){bound(buffer, XB_WRITE)}, args, groups, 1, 1);
  run(c);
  read_buffer(buffer, 0, got, bytes);
}

void check(xb_code code, const xb_error *err, const char *file, int line)
{
  if (code)
    fail_msg("%s:%d: %s: %s", file, line, xb_code_name(code), err->message);
}

void refused(xb_code got, const xb_error *err, xb_code code, const char *text, const char *file, int line)
{
  if (got != code)
    fail_msg("%s:%d: %s instead of %s%s%s", file, line, xb_code_name(got), xb_code_name(code), got ? ": " : "",
             got ? err->message : "");
  if (!strstr(err->message, text))
    fail_msg("%s:%d: '%s' does not say '%s'", file, line, err->message, text);
}

void same_word(uint64_t index, uint32_t got, uint32_t expected, const char *file, int line)
{
  if (got != expected)
    fail_msg("%s:%d: word %llu is 0x%08x, expected 0x%08x", file, line, (unsigned long long)index, got, expected);
}

double now_s(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void refuse_binding(xb_binding binding, xb_code code, const char *text)
{
  xb_error err;
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  const struct step_args args = {.count = 1};
  dispatch(c, kernel_of("step"), "step", (xb_binding[]){binding, bound(buffer_of(XB_MEM_DEVICE, 64), XB_WRITE)}, &args,
           1, 1, 1);
  REFUSED(xb_commands_finish(c, &err), &err, code, text);
}
