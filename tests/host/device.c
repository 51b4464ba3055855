#include "internal.h"

#include "core/queues.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 2 };

void host_info(uint32_t index, xb_device_info *info)
{
  const bool full = index == 0;
  *info = (xb_device_info){
      .backend = "host",
      .code = "host",
      .index = index,
      .type = XB_DEVICE_CPU,
      .api_version = "1",
      .has_uuid = true,
      .uuid = {'h', 'o', 's', 't', (uint8_t)index},
      .max_binding_bytes = HOST_MAX_BINDING,
      .max_buffer_bytes = HOST_MAX_BUFFER,
      .binding_align = HOST_BINDING_ALIGN,
      .max_uniform_bytes = full ? HOST_MAX_UNIFORM : 0,
      .uniform_align = HOST_UNIFORM_ALIGN,
      .max_groups = {HOST_MAX_GROUPS, HOST_MAX_GROUPS, HOST_MAX_GROUPS},
      .max_group_threads = HOST_MAX_THREADS,
      .max_group_size = {HOST_MAX_THREADS, HOST_MAX_THREADS, 64},
      .shared_bytes = 16384,
      .shared_optin_bytes = 16384,
      .max_arg_bytes = full ? XB_MAX_ARG_BYTES : 64,
      .addresses = true,
      .features =
          full ? XB_FEATURE_FLOAT64 | XB_FEATURE_INT64 | XB_FEATURE_INT16 | XB_FEATURE_INT8 | XB_FEATURE_INDIRECT : 0,
      .subgroup_size = 4,
      .subgroup_min = full ? 2 : 4,
      .subgroup_max = full ? 8 : 4,
      .memory_bytes = HOST_MEMORY,
      .queues = {[XB_QUEUE_COMPUTE] = {.present = true,
                                       .timestamp_bits = full ? 64 : 0,
                                       .count = full ? HOST_QUEUES : 1},
                 [XB_QUEUE_COPY] = {.present = full, .timestamp_bits = full ? 64 : 0, .count = full ? HOST_QUEUES : 0}},
      .calibrates = full,
      .timestamp_period_ns = 1,
      .launch_modes = 1u << XB_LAUNCH_GRAPH,
      .import_align = full ? 4096 : 0,
      .exports_semaphores = full,
      .imports_semaphores = full,
  };
  snprintf(info->name, sizeof info->name, "host device %u", index);
  snprintf(info->driver, sizeof info->driver, "tests/host");
}

static xb_code enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  const xb_code code = host_call(NULL, "enumerate", err);
  if (code)
    return code;
  for (uint32_t i = 0; i < DEVICES && i < capacity; i++)
    host_info(i, &infos[i]);
  *count = DEVICES;
  return XB_OK;
}

static xb_code device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  const char *const where = "device_open";
  xb_code code = host_call(NULL, where, err);
  if (code)
    return code;
  if (desc->index >= DEVICES)
    return xb_fail(err, XB_UNAVAILABLE, where, "there is no device %u, only %d", desc->index, DEVICES);
  if (desc->launch_mode != XB_LAUNCH_DEFAULT && desc->launch_mode != XB_LAUNCH_GRAPH)
    return xb_fail(err, XB_UNSUPPORTED, where, "launch mode %d", (int)desc->launch_mode);
  if (desc->choose_queue_family && desc->queue_family)
    return xb_fail(err, XB_UNSUPPORTED, where, "queue family %u", desc->queue_family);
  host_note_open(desc);
  host_info(desc->index, info);
  code = xb_open_queues(desc, info, err);
  if (code)
    return code;
  xb_be_device *d = calloc(1, sizeof *d);
  if (!d)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  info->launch_mode = XB_LAUNCH_GRAPH;
  d->info = *info;
  *device = d;
  host_counters.devices++;
  return XB_OK;
}

static xb_code device_close(xb_be_device *device, xb_error *err)
{
  const char *const where = "device_close";
  xb_code code = XB_OK;
  if (device->abandoned)
    host_free_call(device, where);
  else
    code = host_call(NULL, where, err);
  for (int q = 0; q < XB_MAX_QUEUES; q++)
    host_promise(!device->queues[q].count, where, "work is in flight");
  host_queues_drop(device);
  free(device);
  host_counters.devices--;
  return code;
}

static void device_abandon(xb_be_device *device)
{
  host_promise(!device->abandoned, "device_abandon", "called twice");
  device->abandoned = true;
  host_queues_drop(device);
}

static uint64_t device_free_bytes(xb_be_device *device)
{
  host_promise(!device->abandoned, "device_free_bytes", "called after device_abandon");
  return HOST_MEMORY - host_counters.device_bytes;
}

static xb_code device_native(xb_be_device *device, xb_native_fn fn, void *user, xb_error *err)
{
  const xb_code code = host_call(device, "device_native", err);
  return code ? code : fn(&(xb_native){.backend = "host", .device = device}, user, err);
}

const xb_backend xb_backend_host = {
    .version = XB_BACKEND_VERSION,
    .name = "host",
    .enumerate = enumerate,
    .device_open = device_open,
    .device_close = device_close,
    .device_abandon = device_abandon,
    .device_free_bytes = device_free_bytes,
    .device_native = device_native,
    .buffer_create = host_buffer_create,
    .buffer_destroy = host_buffer_destroy,
    .buffer_flush = host_buffer_flush,
    .buffer_invalidate = host_buffer_invalidate,
    .buffer_native = host_buffer_native,
    .buffer_address = host_buffer_native,
    .kernel_create = host_kernel_create,
    .kernel_destroy = host_kernel_destroy,
    .commands_create = host_commands_create,
    .commands_destroy = host_commands_destroy,
    .cmd_dispatch = host_cmd_dispatch,
    .cmd_dispatch_indirect = host_cmd_dispatch_indirect,
    .cmd_copy = host_cmd_copy,
    .cmd_fill = host_cmd_fill,
    .cmd_barrier = host_cmd_barrier,
    .cmd_timestamp = host_cmd_timestamp,
    .cmd_native = host_cmd_native,
    .commands_finish = host_commands_finish,
    .submit = host_submit,
    .wait = host_wait,
    .timestamps = host_timestamps,
    .calibrate = host_calibrate,
    .times = host_times,
    .semaphore_create = host_semaphore_create,
    .semaphore_export = host_semaphore_export,
    .semaphore_destroy = host_semaphore_destroy,
};
