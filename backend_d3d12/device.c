#include "dx.h"

#include "core/queues.h"

#include <stdlib.h>

xb_code dx_device_check(xb_be_device *d, const char *call, xb_error *err)
{
  const HRESULT reason = ID3D12Device_GetDeviceRemovedReason(d->handle);
  return FAILED(reason) ? dx_fail(err, call, reason) : XB_OK;
}

static xb_code create_device(xb_be_device *d, uint32_t index, xb_error *err)
{
  const struct vkd3d_device_create_info info = {
      .type = VKD3D_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .minimum_feature_level = D3D_FEATURE_LEVEL_11_0,
      .instance = d->instance.handle,
      .vk_physical_device = d->instance.devices[index],
  };
  void *device = NULL;
  const HRESULT result = d->instance.runtime->create_device(&info, &IID_ID3D12Device, &device);
  d->handle = FAILED(result) ? NULL : device;
  return FAILED(result) ? dx_fail(err, "vkd3d_create_device", result) : XB_OK;
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
  return FAILED(result) ? dx_fail(err, "ID3D12Device::CreateCommandSignature", result) : XB_OK;
}

xb_code dx_device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  if (desc->launch_mode != XB_LAUNCH_DEFAULT && desc->launch_mode != XB_LAUNCH_COMMAND_BUFFER)
    return xb_fail(err, XB_UNSUPPORTED, "d3d12",
                   "launch mode '%s' is not supported: Direct3D 12 has command lists only",
                   desc->launch_mode == XB_LAUNCH_GRAPH ? "graph" : "stream");
  xb_be_device *d = calloc(1, sizeof *d);
  if (!d)
    return dx_no_host_memory(err, "d3d12");
  xb_code code = dx_instance_create(&d->instance, err);
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
    code = create_device(d, desc->index, err);
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
  (void)err;
  if (!d->dead) {
    for (int q = 0; q < XB_MAX_QUEUES; q++)
      dx_queue_close(&d->queues[q]);
    DX_RELEASE(d->indirect);
    DX_RELEASE(d->handle);
    dx_instance_destroy(&d->instance);
  }
  free(d->instance.devices); /* if dead, the runtime's objects are leaked on purpose */
  free(d);
  return XB_OK;
}

void dx_device_abandon(xb_be_device *d)
{
  d->dead = true;
}

xb_code dx_device_native(xb_be_device *d, xb_native_fn fn, void *user, xb_error *err)
{
  return fn(&(xb_native){.backend = "d3d12", .device = d->handle}, user, err);
}
