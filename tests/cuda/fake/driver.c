/* Start, devices, contexts, memory. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY = 1 << 30, POISON = 1 << 20 };

static void reset(void);
fake_control fake = {.reset = reset, .free_memory = MEMORY};
fake_control *fake_cuda(void);
fake_control *fake_cuda(void)
{
  return &fake;
}

static CUcontext current;
static struct CUctx_st *const THE_CONTEXT = (struct CUctx_st *)(uintptr_t)0x1000;
static fake_object *objects;

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
  return fake_enter(name);
}

void *fake_new(fake_kind kind, size_t bytes)
{
  fake_object *object = calloc(1, bytes);
  object->kind = kind;
  object->next = objects;
  objects = object;
  fake.alive[kind]++;
  return object;
}

void *fake_get(void *handle, fake_kind kind)
{
  for (fake_object *o = objects; o; o = o->next)
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

CUresult CUDAAPI cuInit(unsigned flags)
{
  (void)flags;
  if (fake_has("no_device"))
    return CUDA_ERROR_NO_DEVICE;
  if (fake_has("broken"))
    return CUDA_ERROR_UNKNOWN;
  return fake_enter("cuInit");
}

CUresult CUDAAPI cuDriverGetVersion(int *version)
{
  *version = fake_has("old") ? 11040 : fake_has("driver_12") ? 12020 : 13000;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetErrorName(CUresult result, const char **name)
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

CUresult CUDAAPI cuDeviceGetCount(int *count)
{
  *count = fake_has("zero_devices") ? 0 : 2;
  return fake_enter("cuDeviceGetCount");
}

CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal)
{
  *device = ordinal;
  return fake_enter("cuDeviceGet");
}

CUresult CUDAAPI cuDeviceGetName(char *name, int bytes, CUdevice device)
{
  snprintf(name, (size_t)bytes, "Fake %d", device);
  return fake_enter("cuDeviceGetName");
}

CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
  memset(uuid, 0x10 + device, sizeof *uuid);
  return fake_enter("cuDeviceGetUuid");
}

CUresult CUDAAPI cuDeviceGetPCIBusId(char *text, int bytes, CUdevice device)
{
  snprintf(text, (size_t)bytes, "0000:AB:0%d.0", device);
  return fake_enter("cuDeviceGetPCIBusId");
}

CUresult CUDAAPI cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
  (void)device;
  *bytes = MEMORY;
  return fake_enter("cuDeviceTotalMem");
}

CUresult CUDAAPI cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
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
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 9; break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = 0; break;
  case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: *value = 32; break;
  case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: *value = 65536; break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: *value = 233472; break;
  default: *value = 1024;
  }
  return fake_enter("cuDeviceGetAttribute");
}

/* ---- Contexts --------------------------------------------------------------------------------------------------- */

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
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

CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice device)
{
  (void)device;
  if (fake.alive[FAKE_CONTEXT]-- <= 0)
    fake_broken("a context was released too often");
  return fake_enter("cuDevicePrimaryCtxRelease");
}

CUresult CUDAAPI cuCtxSetCurrent(CUcontext context)
{
  const CUresult result = fake_enter("cuCtxSetCurrent");
  if (!result)
    current = context;
  return result;
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

typedef struct memory {
  fake_object object;
  size_t bytes;
  void *data;
} memory;

static CUresult new_memory(fake_kind kind, size_t bytes, void **data)
{
  if (kind == FAKE_MEMORY && bytes > fake.free_memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memory *m = fake_new(kind, sizeof *m);
  m->bytes = bytes;
  m->data = aligned_alloc(256, (bytes + 255) / 256 * 256);
  memset(m->data, 0xA5, bytes < POISON ? bytes : POISON);
  *data = m->data;
  if (kind == FAKE_MEMORY)
    fake.free_memory -= bytes;
  return CUDA_SUCCESS;
}

static memory *look_for(fake_kind kind, const void *data)
{
  for (fake_object *o = objects; o; o = o->next)
    if (o->kind == kind && !o->ended && ((memory *)o)->data == data)
      return (memory *)o;
  return NULL;
}

static memory *find_memory(fake_kind kind, const void *data)
{
  memory *m = look_for(kind, data);
  if (m)
    return m;
  fake_broken("memory was used that was not allocated, or was freed");
  return NULL;
}

static void end_memory(fake_kind kind, void *data)
{
  memory *m = find_memory(kind, data);
  if (!m)
    return;
  if (kind == FAKE_MEMORY)
    fake.free_memory += m->bytes;
  free(m->data);
  fake_end(m, kind);
}

bool fake_memory(CUdeviceptr at, size_t bytes)
{
  for (fake_object *o = objects; o; o = o->next) {
    if ((o->kind != FAKE_MEMORY && o->kind != FAKE_PINNED && o->kind != FAKE_REGISTERED) || o->ended)
      continue;
    const CUdeviceptr start = (CUdeviceptr)((memory *)o)->data;
    if (at >= start && bytes <= ((memory *)o)->bytes && at - start <= ((memory *)o)->bytes - bytes)
      return true;
  }
  return false;
}

CUresult CUDAAPI cuMemGetInfo(size_t *available, size_t *all)
{
  *available = fake.free_memory;
  *all = MEMORY;
  return fake_enter_context("cuMemGetInfo");
}

CUresult CUDAAPI cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
  void *data = NULL;
  CUresult result = fake_enter_context("cuMemAlloc");
  if (!result)
    result = new_memory(FAKE_MEMORY, bytes, &data);
  if (!result)
    *address = (CUdeviceptr)data;
  return result;
}

CUresult CUDAAPI cuMemFree(CUdeviceptr address)
{
  end_memory(FAKE_MEMORY, (void *)(uintptr_t)address);
  return fake_enter_context("cuMemFree");
}

CUresult CUDAAPI cuMemHostAlloc(void **data, size_t bytes, unsigned flags)
{
  (void)flags;
  const CUresult result = fake_enter_context("cuMemHostAlloc");
  return result ? result : new_memory(FAKE_PINNED, bytes, data);
}

CUresult CUDAAPI cuMemHostGetDevicePointer(CUdeviceptr *address, void *data, unsigned flags)
{
  (void)flags;
  *address = (CUdeviceptr)data;
  return look_for(FAKE_REGISTERED, data) || find_memory(FAKE_PINNED, data)
             ? fake_enter_context("cuMemHostGetDevicePointer")
             : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuMemFreeHost(void *data)
{
  end_memory(FAKE_PINNED, data);
  return fake_enter_context("cuMemFreeHost");
}

CUresult CUDAAPI cuMemHostRegister(void *data, size_t bytes, unsigned flags)
{
  (void)flags;
  const CUresult result = fake_enter_context("cuMemHostRegister");
  if (result)
    return result;
  if (look_for(FAKE_REGISTERED, data))
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  memory *m = fake_new(FAKE_REGISTERED, sizeof *m);
  m->bytes = bytes;
  m->data = data;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemHostUnregister(void *data)
{
  memory *m = find_memory(FAKE_REGISTERED, data);
  if (m)
    fake_end(m, FAKE_REGISTERED);
  return fake_enter_context("cuMemHostUnregister");
}

CUresult CUDAAPI cuImportExternalMemory(CUexternalMemory *external, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *desc)
{
  const CUresult result = fake_enter_context("cuImportExternalMemory");
  if (result)
    return result;
  if (close(desc->handle.fd)) /* it belongs to the driver now */
    return CUDA_ERROR_INVALID_VALUE;
  *external = (CUexternalMemory)fake_new(FAKE_EXTERNAL, sizeof(fake_object));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuExternalMemoryGetMappedBuffer(CUdeviceptr *address, CUexternalMemory external,
                                                 const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *desc)
{
  void *data = NULL;
  CUresult result = fake_enter_context("cuExternalMemoryGetMappedBuffer");
  fake_get(external, FAKE_EXTERNAL);
  if (!result)
    result = new_memory(FAKE_MEMORY, desc->size, &data);
  if (!result)
    *address = (CUdeviceptr)data;
  return result;
}

CUresult CUDAAPI cuDestroyExternalMemory(CUexternalMemory external)
{
  fake_end(external, FAKE_EXTERNAL);
  return fake_enter_context("cuDestroyExternalMemory");
}

static void reset(void)
{
  while (objects) {
    fake_object *o = objects;
    objects = o->next;
    if (!o->ended && (o->kind == FAKE_MEMORY || o->kind == FAKE_PINNED))
      free(((memory *)o)->data);
    else if (!o->ended && o->kind == FAKE_GRAPH)
      fake_free_nodes((fake_graph *)o);
    else if (!o->ended && o->kind == FAKE_STREAM)
      fake_clear_stream(o);
    else if (!o->ended && o->kind == FAKE_EXEC)
      fake_clear_exec(o);
    free(o);
  }
  fake = (fake_control){.reset = reset, .free_memory = MEMORY};
}
