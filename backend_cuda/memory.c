/* Buffers: one allocation each. There is no fallback to another kind of memory. */
#include "cu.h"

#include <inttypes.h>
#include <stdlib.h>

xb_code cu_no_memory(const xb_be_device *d, const char *call, CUresult result, const xb_buffer_desc *desc,
                     xb_error *err)
{
  const char *const name = cu_result_name(d->cu, result);
  size_t available = 0, all = 0;
  if (desc->mem != XB_MEM_DEVICE && desc->mem != XB_MEM_SHARED)
    return xb_fail_native(err, XB_NOMEM, call, (int)result, name,
                          "%" PRIu64 " bytes of pinned system memory requested, the system cannot provide them",
                          desc->bytes);
  if (d->cu->MemGetInfo(&available, &all))
    return xb_fail_native(err, XB_NOMEM, call, (int)result, name, "%" PRIu64 " bytes requested", desc->bytes);
  return xb_fail_native(err, XB_NOMEM, call, (int)result, name, "%" PRIu64 " bytes requested, %zu free of %zu",
                        desc->bytes, available, all);
}

/* [buffer] Allocate device memory, allocate pinned host memory, or pin the caller's. */
static CUresult get_memory(const xb_be_device *d, const xb_buffer_desc *desc, xb_be_buffer *b, const char **call)
{
  /* Upload buffers are not write-combined: reads by the host (in a check) would be very slow. */
  const unsigned flags =
      CU_MEMHOSTALLOC_PORTABLE | (desc->mem == XB_MEM_UPLOAD_COMBINED ? CU_MEMHOSTALLOC_WRITECOMBINED : 0);
  if (desc->mem == XB_MEM_DEVICE) {
    *call = "cuMemAlloc";
    return d->cu->MemAlloc(&b->address, desc->bytes);
  }
  if (desc->mem != XB_MEM_IMPORTED) {
    *call = "cuMemHostAlloc";
    return d->cu->MemHostAlloc(&b->host, desc->bytes, flags);
  }
  *call = "cuMemHostRegister";
  const CUresult result =
      d->cu->MemHostRegister(desc->host, desc->bytes, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
  b->imported = !result;
  b->host = result ? NULL : desc->host;
  return result;
}

static xb_code cannot_import(const xb_be_device *d, const char *call, CUresult result, const xb_buffer_desc *desc,
                             xb_error *err)
{
  return xb_fail_native(err, XB_INVALID, call, (int)result, cu_result_name(d->cu, result),
                        "%" PRIu64 " bytes at %p cannot be imported: give memory of malloc or mmap whose pages are "
                        "not imported yet",
                        desc->bytes, desc->host);
}

/* [buffer] A buffer is only an address: pinned memory has one on the device, too. */
static xb_code allocate(xb_be_device *d, const xb_buffer_desc *desc, xb_be_buffer *b, xb_error *err)
{
  const bool pinned = desc->mem != XB_MEM_DEVICE;
  const char *call;
  if (desc->mem == XB_MEM_SHARED)
    return cu_open_shared(d, b, desc, err);
  if (desc->exportable)
    return cu_make_exportable(d, b, desc, err);
  if (desc->mem == XB_MEM_DEVICE_MAPPED)
    return xb_fail(err, XB_UNSUPPORTED, "xb_buffer_create", "CUDA does not map device memory into the host's");
  CUresult result = get_memory(d, desc, b, &call);
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return cu_no_memory(d, call, result, desc, err);
  if (result && desc->mem == XB_MEM_IMPORTED &&
      (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED))
    return cannot_import(d, call, result, desc, err);
  if (!result && pinned) {
    call = "cuMemHostGetDevicePointer";
    result = d->cu->MemHostGetDevicePointer(&b->address, b->host, 0);
  }
  return result ? cu_fail(d->cu, err, call, result) : XB_OK;
}

xb_code cu_buffer_create(xb_be_device *d, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host, xb_error *err)
{
  xb_be_buffer *b = calloc(1, sizeof *b);
  if (!b)
    return cu_no_host_memory(err, "xb_buffer_create");
  xb_code code = cu_enter(d, err);
  if (!code)
    code = allocate(d, desc, b, err);
  if (code) {
    cu_buffer_destroy(d, b);
    return code;
  }
  *buffer = b;
  *host = b->host;
  return XB_OK;
}

void cu_buffer_destroy(xb_be_device *d, xb_be_buffer *b)
{
  if ((b->host || b->address || b->shared || b->allocation) && cu_enter_to_free(d)) {
    if (b->reserved || b->allocation)
      cu_unmap(d, b);
    else if (b->imported)
      d->cu->MemHostUnregister(b->host);
    else if (b->host)
      d->cu->MemFreeHost(b->host);
    else if (b->address)
      d->cu->MemFree(b->address);
    if (b->shared)
      d->cu->DestroyExternalMemory(b->shared);
  }
  free(b);
}

/* Pinned memory is coherent. */
xb_code cu_buffer_flush(xb_be_device *d, xb_be_buffer *b, xb_error *err)
{
  (void)d, (void)b, (void)err;
  return XB_OK;
}

xb_code cu_buffer_invalidate(xb_be_device *d, xb_be_buffer *b, xb_error *err)
{
  (void)d, (void)b, (void)err;
  return XB_OK;
}

uint64_t cu_buffer_native(xb_be_buffer *b)
{
  return b->address;
}

uint64_t cu_device_free_bytes(xb_be_device *d)
{
  size_t available = 0, all = 0;
  if (cu_enter(d, NULL) || d->cu->MemGetInfo(&available, &all))
    return 0;
  return available ? available : 1; /* 0 means unknown */
}
