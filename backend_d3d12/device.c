#include "dx.h"

#include "core/queues.h"

#include <stdlib.h>

xb_code dx_device_check(xb_be_device *d, const char *call, xb_error *err)
{
  const HRESULT reason = ID3D12Device_GetDeviceRemovedReason(d->handle);
  return FAILED(reason) ? dx_fail(err, call, reason) : XB_OK;
}

xb_code dx_device_fail(xb_be_device *d, xb_error *err, const char *call, HRESULT result)
{
  char details[128];
  const xb_code code = dx_fail(err, call, result);
  const HRESULT reason = code == XB_LOST ? ID3D12Device_GetDeviceRemovedReason(d->handle) : S_OK;
  if (!FAILED(reason) || reason == result)
    return code;
  dx_removal_details(d->handle, details, sizeof details);
  return xb_fail_native(err, XB_LOST, call, (int)result, dx_result_name(result), "the reason is %s: %s%s",
                        dx_result_name(reason), dx_reason_text(reason), details);
}

static xb_code create_signature(xb_be_device *d, xb_error *err)
{
  D3D12_INDIRECT_ARGUMENT_DESC argument = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
  const D3D12_COMMAND_SIGNATURE_DESC desc = {
      .ByteStride = sizeof(D3D12_DISPATCH_ARGUMENTS),
      .NumArgumentDescs = 1,
      .pArgumentDescs = &argument,
  };
  void *signature = NULL;
  const HRESULT result =
      ID3D12Device_CreateCommandSignature(d->handle, &desc, NULL, &IID_ID3D12CommandSignature, &signature);
  d->indirect = FAILED(result) ? NULL : signature;
  return FAILED(result) ? dx_device_fail(d, err, "ID3D12Device::CreateCommandSignature", result) : XB_OK;
}

enum {
  MOST_GROUPS = 65535,   /* D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION */
  MOST_THREADS_Z = 64,   /* D3D12_CS_THREAD_GROUP_MAX_Z */
  ARG_BYTES = 128,       /* of the 64 words of a root signature; buffers take the others */
  SHARED_BYTES = 32768,  /* of cs_6_0 */
  UNIFORM_BYTES = 65536, /* D3D12_REQ_CONSTANT_BUFFER_ELEMENT_COUNT, of 16 bytes */
  UNIFORM_ALIGN = 256,   /* D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT */
  MOST_TEXELS = 1 << 27, /* D3D12_REQ_BUFFER_RESOURCE_TEXEL_COUNT_2_TO_EXP */
  TEXEL_ALIGN = 256,     /* the most that a Vulkan below may ask for */
};

void dx_describe_limits(xb_device_info *info)
{
  for (int i = 0; i < 3; i++)
    info->max_groups[i] = MOST_GROUPS;
  info->max_group_size[0] = info->max_group_size[1] = info->max_group_threads;
  info->max_group_size[2] = MOST_THREADS_Z;
  info->max_uniform_bytes = UNIFORM_BYTES;
  info->uniform_align = UNIFORM_ALIGN;
  info->shared_bytes = info->shared_optin_bytes = SHARED_BYTES;
  info->max_arg_bytes = ARG_BYTES;
  info->max_texels = MOST_TEXELS;
  info->texel_align = TEXEL_ALIGN;
  info->storage_texels = true;
}

xb_code dx_enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  dx_instance instance;
  const xb_code code = dx_instance_create(false, &instance, err);
  for (uint32_t i = 0; !code && i < instance.count && i < capacity; i++)
    dx_describe_device(&instance, i, &infos[i]);
  if (!code)
    *count = instance.count;
  dx_instance_destroy(&instance);
  return code;
}

xb_code dx_device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  if (desc->compile_only)
    return xb_fail(err, XB_UNSUPPORTED, "d3d12", "compile_only: this API has no null device");
  if (desc->launch_mode != XB_LAUNCH_DEFAULT && desc->launch_mode != XB_LAUNCH_COMMAND_BUFFER)
    return xb_fail(err, XB_UNSUPPORTED, "d3d12",
                   "launch mode '%s' is not supported: Direct3D 12 has command lists only",
                   desc->launch_mode == XB_LAUNCH_GRAPH ? "graph" : "stream");
  xb_be_device *d = calloc(1, sizeof *d);
  if (!d)
    return dx_no_host_memory(err, "d3d12");
  xb_code code = dx_instance_create(desc->validation, &d->instance, err);
  if (!code && desc->index >= d->instance.count)
    code = xb_fail(err, XB_UNAVAILABLE, "d3d12", "device %u does not exist: there are %u devices, counted from 0",
                   desc->index, d->instance.count);
  if (!code) {
    dx_describe_device(&d->instance, desc->index, info);
    info->launch_mode = XB_LAUNCH_COMMAND_BUFFER;
    d->memory_bytes = info->memory_bytes;
    d->subgroup_size = info->subgroup_size;
    d->max_group_threads = info->max_group_threads;
    code = xb_open_queues(desc, info, err);
  }
  if (!code)
    code = dx_instance_open(&d->instance, desc->index, &d->handle, err);
  if (!code)
    code = dx_queue_open(d, D3D12_COMMAND_LIST_TYPE_COMPUTE, &d->queues[XB_QUEUE_COMPUTE], err);
  if (!code)
    code = dx_queue_open(d, D3D12_COMMAND_LIST_TYPE_COPY, &d->queues[XB_QUEUE_COPY], err);
  if (!code)
    code = create_signature(d, err);
  if (code) {
    dx_device_close(d, NULL);
    return code;
  }
  *device = d;
  return XB_OK;
}

xb_code dx_device_close(xb_be_device *d, xb_error *err)
{
  xb_code code = XB_OK;
  if (!d->dead) {
    for (int q = 0; q < XB_MAX_QUEUES; q++)
      dx_queue_close(&d->queues[q]);
    DX_RELEASE(d->indirect);
    dx_heaps_free(d);
    code = d->handle ? dx_validated(d->handle, err) : XB_OK;
    DX_RELEASE(d->handle);
    dx_instance_destroy(&d->instance);
  }
  dx_heaps_free(d);
  free(d->instance.devices); /* if dead, the runtime's objects are leaked on purpose */
  free(d);
  return code;
}

void dx_device_abandon(xb_be_device *d)
{
  d->dead = true;
}

xb_code dx_device_native(xb_be_device *d, xb_native_fn fn, void *user, xb_error *err)
{
  return fn(&(xb_native){.backend = "d3d12", .device = d->handle}, user, err);
}
