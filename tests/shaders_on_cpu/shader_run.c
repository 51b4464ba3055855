#include "shader_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t LIMIT_NS = 600000000000u;

void *read_shader(const char *name, size_t *bytes)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s.spv", SHADER_FOLDER, name);
  FILE *file = fopen(path, "rb");
  if (!file)
    fail_msg("%s cannot be read", path);
  fseek(file, 0, SEEK_END);
  *bytes = (size_t)ftell(file);
  rewind(file);
  char *data = malloc(*bytes + 1);
  assert_non_null(data);
  assert_int_equal(fread(data, 1, *bytes, file), *bytes);
  fclose(file);
  return data;
}

static void check(xb_code code, const xb_error *err)
{
  if (code)
    fail_msg("%s", err->message);
}

xb_device *open_waves(uint32_t wave)
{
  xb_error err;
  xb_device *device;
  check(xb_device_open(&(xb_device_desc){.backend = xb_backend_find("cpu"), .wave = wave}, &device, &err), &err);
  return device;
}

xb_code load_shader(const void *code, size_t bytes, const char *entry, uint32_t group, uint32_t bindings, xb_error *err)
{
  xb_device *device = open_waves(32);
  xb_kernel *kernel = NULL;
  const xb_kernel_desc desc = {
      .code = code, .code_bytes = bytes, .entry = entry, .group_size = {group, 1, 1}, .binding_count = bindings};
  const xb_code result = xb_kernel_create(device, &desc, &kernel, err);
  xb_kernel_destroy(kernel);
  xb_device_close(device, NULL);
  return result;
}

static void bind(xb_device *device, const shader_buffer *b, xb_binding *binding)
{
  xb_error err;
  *binding = (xb_binding){.kind = b->uniform ? XB_BINDING_UNIFORM : XB_BINDING_BUFFER,
                          .access = b->uniform ? XB_READ : XB_READ_WRITE};
  check(xb_buffer_create(device, &(xb_buffer_desc){.mem = XB_MEM_DEVICE, .bytes = b->bytes}, &binding->buffer, &err),
        &err);
  check(xb_upload(binding->buffer, 0, b->data, b->bytes, &err), &err);
}

static void dispatch(xb_device *device, const shader_run *run, xb_kernel *kernel, const xb_binding *bindings,
                     uint32_t count)
{
  xb_error err;
  xb_commands *commands;
  xb_point done;
  check(xb_commands_create(device, &(xb_commands_desc){0}, &commands, &err), &err);
  xb_cmd_dispatch(commands, &(xb_dispatch){.kernel = kernel,
                                           .bindings = bindings,
                                           .binding_count = count,
                                           .args = run->push,
                                           .arg_bytes = run->push_bytes,
                                           .groups = {run->groups, 1, 1}});
  check(xb_commands_finish(commands, &err), &err);
  check(xb_submit(device, &(xb_submission){.commands = commands}, &done, &err), &err);
  check(xb_wait(device, done, LIMIT_NS, &err), &err);
  xb_commands_destroy(commands);
}

void run_shader(const shader_run *run)
{
  xb_error err;
  size_t bytes;
  void *code = read_shader(run->name, &bytes);
  xb_device *device = open_waves(run->wave ? run->wave : 32);
  xb_location at[MOST_BUFFERS];
  xb_binding bindings[MOST_BUFFERS];
  uint32_t count = 0;
  for (; count < MOST_BUFFERS && run->buffers[count].bytes; count++) {
    at[count] = run->buffers[count].at;
    bind(device, &run->buffers[count], &bindings[count]);
  }
  const xb_kernel_desc desc = {.label = run->name,
                               .code = code,
                               .code_bytes = bytes,
                               .entry = run->entry ? run->entry : "main",
                               .group_size = {run->group, 1, 1},
                               .binding_count = count,
                               .locations = at,
                               .arg_bytes = run->push_bytes,
                               .specializations = run->values,
                               .specialization_count = run->value_count};
  xb_kernel *kernel;
  check(xb_kernel_create(device, &desc, &kernel, &err), &err);
  for (uint32_t i = 0; i < count; i++)
    if (xb_kernel_get_info(kernel)->read_only_bindings >> i & 1)
      bindings[i].access = XB_READ;
  dispatch(device, run, kernel, bindings, count);
  for (uint32_t i = 0; i < count; i++) {
    check(xb_download(bindings[i].buffer, 0, run->buffers[i].data, run->buffers[i].bytes, &err), &err);
    xb_buffer_destroy(bindings[i].buffer);
  }
  xb_kernel_destroy(kernel);
  check(xb_device_close(device, &err), &err);
  free(code);
}
