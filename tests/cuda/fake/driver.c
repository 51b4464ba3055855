/* Start, devices, contexts, and the objects of all kinds. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reset(void);
fake_control fake = {.reset = reset, .free_memory = FAKE_DEVICE_BYTES};
fake_control *fake_cuda(void);
fake_control *fake_cuda(void)
{
  return &fake;
}

static CUcontext current;
static struct CUctx_st *const THE_CONTEXT = (struct CUctx_st *)(uintptr_t)0x1000;
fake_object *fake_objects;

/* ---- Shared ----------------------------------------------------------------------------------------------------- */

bool fake_has(const char *what)
{
  const char *list = getenv("FAKE_CUDA");
  return list && strstr(list, what);
}

void fake_broken(const char *promise)
{
  if (!fake.broken)
    fake.broken = promise;
}

CUresult fake_enter(const char *name)
{
  if (fake.forbidden)
    fake_broken(name);
  if (!fake.fail_call || --fake.fail_call)
    return CUDA_SUCCESS;
  fake.failed = name;
  return (CUresult)fake.fail_with;
}

CUresult fake_enter_context(const char *name)
{
  if (current != THE_CONTEXT)
    fake_broken("a call without a current context");
  const CUresult result = fake_enter(name);
  return result || !fake.kernels_fault || !fake.kernels_run ? result : (CUresult)fake.kernels_fault;
}

void *fake_new(fake_kind kind, size_t bytes)
{
  fake_object *object = calloc(1, bytes);
  object->kind = kind;
  object->next = fake_objects;
  fake_objects = object;
  fake.alive[kind]++;
  return object;
}

void *fake_get(void *handle, fake_kind kind)
{
  for (fake_object *o = fake_objects; o; o = o->next)
    if (o == handle && o->kind == kind && !o->ended)
      return o;
  fake_broken("an object was used that does not exist, or was destroyed");
  return NULL;
}

void fake_end(void *handle, fake_kind kind)
{
  fake_object *object = fake_get(handle, kind);
  if (!object)
    return;
  object->ended = true;
  fake.alive[kind]--;
}

/* ---- Start and devices ------------------------------------------------------------------------------------------ */

CUresult cuInit(unsigned flags)
{
  (void)flags;
  if (fake_has("no_device"))
    return CUDA_ERROR_NO_DEVICE;
  if (fake_has("broken"))
    return CUDA_ERROR_UNKNOWN;
  return fake_enter("cuInit");
}

CUresult cuDriverGetVersion(int *version)
{
  *version = fake_has("old") ? 11040 : fake_has("driver_12") ? 12020 : 13000;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult result, const char **name)
{
  static const struct {
    CUresult result;
    const char *name;
  } names[] = {
#define NAME(n) {n, #n}
      NAME(CUDA_ERROR_INVALID_VALUE),
      NAME(CUDA_ERROR_OUT_OF_MEMORY),
      NAME(CUDA_ERROR_DEVICE_UNAVAILABLE),
      NAME(CUDA_ERROR_NO_DEVICE),
      NAME(CUDA_ERROR_INVALID_IMAGE),
      NAME(CUDA_ERROR_NO_BINARY_FOR_GPU),
      NAME(CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
      NAME(CUDA_ERROR_NOT_FOUND),
      NAME(CUDA_ERROR_LAUNCH_FAILED),
      NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
      NAME(CUDA_ERROR_INVALID_HANDLE),
      NAME(CUDA_ERROR_UNKNOWN),
      NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].result == result) {
      *name = names[i].name;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int *count)
{
  *count = fake_has("zero_devices") ? 0 : 2;
  return fake_enter("cuDeviceGetCount");
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
  *device = ordinal;
  return fake_enter("cuDeviceGet");
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
  snprintf(name, (size_t)bytes, "Fake %d", device);
  return fake_enter("cuDeviceGetName");
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
  memset(uuid, 0x10 + device, sizeof *uuid);
  return fake_enter("cuDeviceGetUuid");
}

/* NVRTC asks for it. */
CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
  (void)table, (void)id;
  return CUDA_ERROR_NOT_FOUND;
}

CUresult cuDeviceGetLuid(char *luid, unsigned int *nodes, CUdevice device)
{
  memset(luid, 0x20 + device, 8);
  *nodes = 1;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *text, int bytes, CUdevice device)
{
  snprintf(text, (size_t)bytes, "0000:AB:0%d.0", device);
  return fake_enter("cuDeviceGetPCIBusId");
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
  (void)device;
  *bytes = FAKE_DEVICE_BYTES;
  return fake_enter("cuDeviceTotalMem");
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
  (void)device;
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE:
    *value = fake_has("exclusive")    ? CU_COMPUTEMODE_EXCLUSIVE_PROCESS
             : fake_has("prohibited") ? CU_COMPUTEMODE_PROHIBITED
                                      : CU_COMPUTEMODE_DEFAULT;
    break;
  case CU_DEVICE_ATTRIBUTE_INTEGRATED: *value = 0; break;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: *value = 2147483647; break;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: *value = 65535; break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = 49152; break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *value = 232448; break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = fake_has("ampere") ? 8 : 9; break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = 0; break;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: *value = 32; break;
  case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: *value = 65536; break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: *value = 233472; break;
  default: *value = 1024;
  }
  return fake_enter("cuDeviceGetAttribute");
}

/* ---- Contexts --------------------------------------------------------------------------------------------------- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
  (void)device;
  if (fake_has("exclusive") || fake_has("prohibited") || fake_has("busy"))
    return CUDA_ERROR_DEVICE_UNAVAILABLE;
  const CUresult result = fake_enter("cuDevicePrimaryCtxRetain");
  if (result)
    return result;
  fake.alive[FAKE_CONTEXT]++;
  *context = THE_CONTEXT;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
  (void)device;
  if (fake.alive[FAKE_CONTEXT]-- <= 0)
    fake_broken("a context was released too often");
  return fake_enter("cuDevicePrimaryCtxRelease");
}

CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device)
{
  (void)flags, (void)device;
  const CUresult result = fake_enter("cuCtxCreate");
  if (result)
    return result;
  fake.alive[FAKE_CONTEXT]++;
  *context = current = THE_CONTEXT;
  return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext context)
{
  if (context != THE_CONTEXT || fake.alive[FAKE_CONTEXT]-- <= 0)
    fake_broken("a context was destroyed that does not exist");
  return fake_enter("cuCtxDestroy");
}

CUresult cuCtxSetLimit(CUlimit limit, size_t bytes)
{
  const CUresult result = fake_enter_context("cuCtxSetLimit");
  if (limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
    fake_broken("an unexpected limit");
  if (!result)
    fake.persisting = bytes;
  return fake_has("mig") ? CUDA_ERROR_UNSUPPORTED_LIMIT : result;
}

CUresult cuCtxGetLimit(size_t *bytes, CUlimit limit)
{
  (void)limit;
  *bytes = fake.persisting;
  return fake_enter_context("cuCtxGetLimit");
}

CUresult cuCtxResetPersistingL2Cache(void)
{
  return fake_enter_context("cuCtxResetPersistingL2Cache");
}

CUresult cuCtxSetCurrent(CUcontext context)
{
  const CUresult result = fake_enter("cuCtxSetCurrent");
  if (!result)
    current = context;
  return result;
}

static void reset(void)
{
  while (fake_objects) {
    fake_object *o = fake_objects;
    fake_objects = o->next;
    if (!o->ended && (o->kind == FAKE_MEMORY || o->kind == FAKE_PINNED))
      free(((fake_memory_object *)o)->data);
    else if (!o->ended && o->kind == FAKE_ARRAY)
      free(((fake_array *)o)->data);
    else if (!o->ended && o->kind == FAKE_GRAPH)
      fake_free_nodes((fake_graph *)o);
    else if (!o->ended && o->kind == FAKE_STREAM)
      fake_clear_stream(o);
    else if (!o->ended && o->kind == FAKE_EXEC)
      fake_clear_exec(o);
    free(o);
  }
  fake = (fake_control){.reset = reset, .free_memory = FAKE_DEVICE_BYTES};
}
