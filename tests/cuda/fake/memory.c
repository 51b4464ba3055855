/* Memory of the device and of the host, also with handles that other devices open. */
#define _GNU_SOURCE /* memfd_create */
#include "fake.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { POISON = 1 << 20 };

static CUresult new_memory(fake_kind kind, size_t bytes, void **data)
{
  if (kind == FAKE_MEMORY && bytes > fake.free_memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  fake_memory_object *m = fake_new(kind, sizeof *m);
  m->bytes = bytes;
  m->data = aligned_alloc(256, (bytes + 255) / 256 * 256);
  memset(m->data, 0xA5, bytes < POISON ? bytes : POISON);
  *data = m->data;
  if (kind == FAKE_MEMORY)
    fake.free_memory -= bytes;
  return CUDA_SUCCESS;
}

static fake_memory_object *look_for(fake_kind kind, const void *data)
{
  for (fake_object *o = fake_objects; o; o = o->next)
    if (o->kind == kind && !o->ended && ((fake_memory_object *)o)->data == data)
      return (fake_memory_object *)o;
  return NULL;
}

static fake_memory_object *find_memory(fake_kind kind, const void *data)
{
  fake_memory_object *m = look_for(kind, data);
  if (m)
    return m;
  fake_broken("memory was used that was not allocated, or was freed");
  return NULL;
}

static void end_memory(fake_kind kind, void *data)
{
  fake_memory_object *m = find_memory(kind, data);
  if (!m)
    return;
  if (kind == FAKE_MEMORY)
    fake.free_memory += m->bytes;
  free(m->data);
  fake_end(m, kind);
}

unsigned char fake_table[64];

bool fake_memory(CUdeviceptr at, size_t bytes)
{
  const CUdeviceptr table = (CUdeviceptr)(uintptr_t)fake_table;
  if (at >= table && at - table + bytes <= sizeof fake_table)
    return true;
  for (fake_object *o = fake_objects; o; o = o->next) {
    if (o->kind == FAKE_ARRAY && !o->ended) {
      const fake_array *array = (const fake_array *)(void *)o;
      const CUdeviceptr start = (CUdeviceptr)(uintptr_t)array->data;
      if (at >= start && bytes <= array->bytes && at - start <= array->bytes - bytes)
        return true;
    }
    if ((o->kind != FAKE_MEMORY && o->kind != FAKE_PINNED && o->kind != FAKE_REGISTERED) || o->ended)
      continue;
    const CUdeviceptr start = (CUdeviceptr)((fake_memory_object *)o)->data;
    if (at >= start && bytes <= ((fake_memory_object *)o)->bytes &&
        at - start <= ((fake_memory_object *)o)->bytes - bytes)
      return true;
  }
  return false;
}

CUresult cuMemGetInfo(size_t *available, size_t *all)
{
  *available = fake.free_memory;
  *all = FAKE_DEVICE_BYTES;
  return fake_enter_context("cuMemGetInfo");
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
  void *data = NULL;
  CUresult result = fake_enter_context("cuMemAlloc");
  if (!result)
    result = new_memory(FAKE_MEMORY, bytes, &data);
  if (!result)
    *address = (CUdeviceptr)data;
  return result;
}

CUresult cuMemFree(CUdeviceptr address)
{
  end_memory(FAKE_MEMORY, (void *)(uintptr_t)address);
  return fake_enter_context("cuMemFree");
}

CUresult cuMemHostAlloc(void **data, size_t bytes, unsigned flags)
{
  (void)flags;
  const CUresult result = fake_enter_context("cuMemHostAlloc");
  return result ? result : new_memory(FAKE_PINNED, bytes, data);
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *data, unsigned flags)
{
  (void)flags;
  *address = (CUdeviceptr)data;
  return look_for(FAKE_REGISTERED, data) || find_memory(FAKE_PINNED, data)
             ? fake_enter_context("cuMemHostGetDevicePointer")
             : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemFreeHost(void *data)
{
  end_memory(FAKE_PINNED, data);
  return fake_enter_context("cuMemFreeHost");
}

CUresult cuMemHostRegister(void *data, size_t bytes, unsigned flags)
{
  (void)flags;
  const CUresult result = fake_enter_context("cuMemHostRegister");
  if (result)
    return result;
  if (look_for(FAKE_REGISTERED, data))
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  fake_memory_object *m = fake_new(FAKE_REGISTERED, sizeof *m);
  m->bytes = bytes;
  m->data = data;
  return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *data)
{
  fake_memory_object *m = find_memory(FAKE_REGISTERED, data);
  if (m)
    fake_end(m, FAKE_REGISTERED);
  return fake_enter_context("cuMemHostUnregister");
}

CUresult cuImportExternalMemory(CUexternalMemory *external, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *desc)
{
  const CUresult result = fake_enter_context("cuImportExternalMemory");
  if (result)
    return result;
  if (close(desc->handle.fd)) /* it belongs to the driver now */
    return CUDA_ERROR_INVALID_VALUE;
  *external = (CUexternalMemory)fake_new(FAKE_EXTERNAL, sizeof(fake_object));
  return CUDA_SUCCESS;
}

CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr *address, CUexternalMemory external,
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

CUresult cuDestroyExternalMemory(CUexternalMemory external)
{
  fake_end(external, FAKE_EXTERNAL);
  return fake_enter_context("cuDestroyExternalMemory");
}

/* ---- Memory with a handle --------------------------------------------------------------------------------------- */

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *kind,
                                       CUmemAllocationGranularity_flags flags)
{
  (void)kind, (void)flags;
  *bytes = 8192;
  return fake_enter_context("cuMemGetAllocationGranularity");
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *kind,
                     unsigned long long flags)
{
  (void)flags;
  if (bytes % 8192 || kind->requestedHandleTypes != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    fake_broken("an allocation of half a unit, or that cannot be exported");
  const CUresult result = fake_enter_context("cuMemCreate");
  if (!result)
    *handle = (CUmemGenericAllocationHandle)(uintptr_t)fake_new(FAKE_ALLOCATION, sizeof(fake_object));
  return result;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
  fake_end((void *)(uintptr_t)handle, FAKE_ALLOCATION);
  return fake_enter_context("cuMemRelease");
}

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t align, CUdeviceptr at, unsigned long long flags)
{
  void *data = NULL;
  (void)align, (void)at, (void)flags;
  CUresult result = fake_enter_context("cuMemAddressReserve");
  if (!result)
    result = new_memory(FAKE_MEMORY, bytes, &data);
  if (!result)
    *address = (CUdeviceptr)data;
  return result;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
  (void)bytes;
  if (look_for(FAKE_MAPPING, (void *)(uintptr_t)address))
    fake_broken("an address was freed with memory mapped there");
  end_memory(FAKE_MEMORY, (void *)(uintptr_t)address);
  return fake_enter_context("cuMemAddressFree");
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
  (void)offset, (void)flags;
  const CUresult result = fake_enter_context("cuMemMap");
  fake_get((void *)(uintptr_t)handle, FAKE_ALLOCATION);
  find_memory(FAKE_MEMORY, (void *)(uintptr_t)address);
  if (result)
    return result;
  fake_memory_object *m = fake_new(FAKE_MAPPING, sizeof *m);
  m->bytes = bytes;
  m->data = (void *)(uintptr_t)address;
  return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
  fake_memory_object *m = find_memory(FAKE_MAPPING, (void *)(uintptr_t)address);
  (void)bytes;
  if (m)
    fake_end(m, FAKE_MAPPING);
  return fake_enter_context("cuMemUnmap");
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t count)
{
  (void)bytes, (void)access, (void)count;
  find_memory(FAKE_MAPPING, (void *)(uintptr_t)address);
  return fake_enter_context("cuMemSetAccess");
}

CUresult cuMemExportToShareableHandle(void *fd, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
                                      unsigned long long flags)
{
  (void)type, (void)flags;
  const CUresult result = fake_enter_context("cuMemExportToShareableHandle");
  fake_get((void *)(uintptr_t)handle, FAKE_ALLOCATION);
  if (result)
    return result;
  *(int *)fd = memfd_create("allocation", MFD_CLOEXEC);
  return *(int *)fd < 0 || ftruncate(*(int *)fd, POISON) ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* The descriptor stays the caller's. */
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *fd, CUmemAllocationHandleType type)
{
  (void)type;
  const CUresult result = fake_enter_context("cuMemImportFromShareableHandle");
  if (result || fcntl((int)(uintptr_t)fd, F_GETFD) < 0)
    return result ? result : CUDA_ERROR_INVALID_VALUE;
  *handle = (CUmemGenericAllocationHandle)(uintptr_t)fake_new(FAKE_ALLOCATION, sizeof(fake_object));
  return CUDA_SUCCESS;
}
