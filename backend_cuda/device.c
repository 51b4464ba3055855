#include "cu.h"

#include "core/queues.h"

#include <stdlib.h>

static xb_code check_launch_mode(xb_launch_mode mode, xb_error *err)
{
  if (mode != XB_LAUNCH_COMMAND_BUFFER)
    return XB_OK;
  return xb_fail(err, XB_UNSUPPORTED, "cuda",
                 "launch mode 'command buffer' is not supported: CUDA has graphs and streams");
}

/* Explains why there is no context, because the driver's error name says little. */
static xb_code no_context(const xb_be_device *d, const char *call, CUresult result, const char *name, xb_error *err)
{
  int mode = CU_COMPUTEMODE_DEFAULT;
  d->cu->DeviceGetAttribute(&mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, d->handle);
  if (result != CUDA_ERROR_DEVICE_UNAVAILABLE && result != CUDA_ERROR_INVALID_DEVICE)
    return cu_fail(d->cu, err, call, result);
  const char *const why =
      mode == CU_COMPUTEMODE_EXCLUSIVE_PROCESS ? "is in exclusive mode and another process uses it: end that process "
                                                 "or allow several (nvidia-smi -c DEFAULT)"
      : mode == CU_COMPUTEMODE_PROHIBITED ? "is in prohibited mode: allow compute work on it (nvidia-smi -c DEFAULT)"
                                          : "is busy or not available: does nvidia-smi show it?";
  return xb_fail_native(err, XB_UNAVAILABLE, call, (int)result, cu_result_name(d->cu, result), "'%s' %s", name, why);
}

static xb_code open_context(xb_be_device *d, const char *name, xb_error *err)
{
  CUcontext context = NULL;
  const CUresult result = d->own_context ? d->cu->CtxCreate(&context, CU_CTX_SCHED_AUTO, d->handle)
                                         : d->cu->DevicePrimaryCtxRetain(&context, d->handle);
  if (result)
    return no_context(d, d->own_context ? "cuCtxCreate" : "cuDevicePrimaryCtxRetain", result, name, err);
  d->context = context;
  return cu_enter(d, err);
}

static xb_code open_side_stream(xb_be_device *d, xb_error *err)
{
  CUstream stream = NULL;
  const CUresult result = d->cu->StreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  if (result)
    return cu_fail(d->cu, err, "cuStreamCreate", result);
  d->side = stream;
  return XB_OK;
}

xb_code cu_device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  if (desc->compile_only)
    return xb_fail(err, XB_UNSUPPORTED, "cuda", "compile_only: this API has no null device");
  xb_code code = check_launch_mode(desc->launch_mode, err);
  if (code)
    return code;
  xb_be_device *d = calloc(1, sizeof *d);
  if (!d)
    return cu_no_host_memory(err, "cuda");
  d->launch_mode = desc->launch_mode == XB_LAUNCH_DEFAULT ? XB_LAUNCH_GRAPH : desc->launch_mode;
  d->own_context = desc->own_context;
  uint32_t count = 0;
  code = cu_start(&d->cu, &count, err);
  if (!code && desc->index >= count)
    code = xb_fail(err, XB_UNAVAILABLE, "cuda", "device %u does not exist: there are %u devices, counted from 0",
                   desc->index, count);
  if (!code)
    code = cu_describe_device(d->cu, desc->index, &d->handle, info, err);
  if (!code)
    code = xb_open_queues(desc, info, err);
  if (!code)
    code = open_context(d, info->name, err);
  if (!code)
    code = open_side_stream(d, err);
  if (!code)
    code = cu_hold_open(d, err);
  for (int q = 0; q < XB_MAX_QUEUES && !code; q++)
    if (info->queues[q].present)
      code = cu_queue_open(d, &d->queues[q], err);
  if (code) {
    cu_device_close(d, NULL);
    return code;
  }
  info->launch_mode = d->launch_mode;
  d->compute_capability = info->compute_capability;
  d->shared_bytes = info->shared_bytes;
  d->shared_optin_bytes = info->shared_optin_bytes;
  *device = d;
  return XB_OK;
}

xb_code cu_device_close(xb_be_device *d, xb_error *err)
{
  CUresult result = CUDA_SUCCESS;
  for (int q = 0; q < XB_MAX_QUEUES; q++)
    cu_queue_close(d, &d->queues[q]);
  cu_hold_close(d);
  cu_calibration_close(d);
  if (d->side && cu_enter_to_free(d))
    d->cu->StreamDestroy(d->side);
  cu_persist_close(d);
  if (!d->dead && d->context) {
    d->cu->CtxSetCurrent(NULL);
    result = d->own_context ? d->cu->CtxDestroy(d->context) : d->cu->DevicePrimaryCtxRelease(d->handle);
  }
  const char *const call = d->own_context ? "cuCtxDestroy" : "cuDevicePrimaryCtxRelease";
  const xb_code code = result ? cu_fail(d->cu, err, call, result) : XB_OK;
  free(d);
  return code;
}

void cu_device_abandon(xb_be_device *d)
{
  d->dead = true;
}

xb_code cu_enter(const xb_be_device *d, xb_error *err)
{
  const CUresult result = d->cu->CtxSetCurrent(d->context);
  return result ? cu_fail(d->cu, err, "cuCtxSetCurrent", result) : XB_OK;
}

bool cu_enter_to_free(const xb_be_device *d)
{
  if (d->dead || !d->context)
    return false;
  d->cu->CtxSetCurrent(d->context); /* if this fails, freeing is tried anyway */
  return true;
}
