/* Memory that several devices use. Another API's becomes an address; our own is an allocation with a handle, which is
 * mapped at an address that is reserved for it. */
#include "cu.h"

#include <inttypes.h>
#include <unistd.h>

/* [buffer] Memory of another API. */
static xb_code import(xb_be_device *d, xb_be_buffer *b, const xb_buffer_desc *desc, xb_error *err)
{
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC memory = {
      .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
      .handle.fd = dup(desc->shared.fd), /* CUDA's, if it takes it; the caller's is closed when all is done */
      .size = desc->shared.bytes,
      .flags = CUDA_EXTERNAL_MEMORY_DEDICATED,
  };
  const CUDA_EXTERNAL_MEMORY_BUFFER_DESC range = {.size = desc->bytes};
  CUexternalMemory opened = NULL;
  CUresult result = d->cu->ImportExternalMemory(&opened, &memory);
  if (result && memory.handle.fd >= 0)
    close(memory.handle.fd);
  if (cu_refuses_handle(result))
    return xb_fail_native(err, XB_INVALID, "cuImportExternalMemory", (int)result, cu_result_name(d->cu, result),
                          "file descriptor %d is not memory of this GPU", desc->shared.fd);
  if (result)
    return cu_fail(d->cu, err, "cuImportExternalMemory", result);
  b->shared = opened;
  result = d->cu->ExternalMemoryGetMappedBuffer(&b->address, opened, &range);
  if (result)
    return cu_fail(d->cu, err, "cuExternalMemoryGetMappedBuffer", result);
  close(desc->shared.fd);
  return XB_OK;
}

/* What cuMemSetAccess returns for a GPU that cannot reach imported memory. */
static bool is_out_of_reach(CUresult result)
{
  return result == CUDA_ERROR_INVALID_DEVICE || result == CUDA_ERROR_INVALID_VALUE ||
         result == CUDA_ERROR_NOT_SUPPORTED || result == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

/* [buffer] Map the allocation at an address of its own, for this device to read and write. */
static xb_code map(xb_be_device *d, xb_be_buffer *b, size_t bytes, bool imported, xb_error *err)
{
  const CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = d->handle},
                                  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  const char *call = "cuMemAddressReserve";
  CUdeviceptr address = 0;
  CUresult result = d->cu->MemAddressReserve(&address, bytes, 0, 0, 0);
  if (!result) {
    b->address = address;
    b->reserved = bytes;
    call = "cuMemMap";
    result = d->cu->MemMap(address, bytes, 0, b->allocation, 0);
  }
  if (!result) {
    b->mapped = true;
    call = "cuMemSetAccess";
    result = d->cu->MemSetAccess(address, bytes, &access, 1);
    if (imported && is_out_of_reach(result))
      return xb_fail_native(err, XB_UNSUPPORTED, call, (int)result, cu_result_name(d->cu, result),
                            "no peer access to the GPU with this memory");
  }
  return result ? cu_fail(d->cu, err, call, result) : XB_OK;
}

void cu_unmap(xb_be_device *d, xb_be_buffer *b)
{
  if (b->mapped)
    d->cu->MemUnmap(b->address, b->reserved);
  if (b->reserved)
    d->cu->MemAddressFree(b->address, b->reserved);
  d->cu->MemRelease(b->allocation);
}

xb_code cu_make_exportable(xb_be_device *d, xb_be_buffer *b, const xb_buffer_desc *desc, xb_error *err)
{
  const CUmemAllocationProp kind = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                    .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                    .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = d->handle}};
  const char *call = "cuMemGetAllocationGranularity";
  CUmemGenericAllocationHandle allocation = 0;
  size_t unit = 0, bytes = desc->bytes;
  CUresult result = d->cu->MemGetAllocationGranularity(&unit, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  if (!result) {
    call = "cuMemCreate";
    bytes = (bytes + unit - 1) / unit * unit;
    result = d->cu->MemCreate(&allocation, bytes, &kind, 0);
  }
  if (result)
    return result == CUDA_ERROR_OUT_OF_MEMORY ? cu_no_memory(d, call, result, desc, err)
                                              : cu_fail(d->cu, err, call, result);
  b->allocation = allocation;
  return map(d, b, bytes, false, err);
}

/* [buffer] Memory of CUDA, of another process or another device. CUDA copies the file descriptor. */
static xb_code import_own(xb_be_device *d, xb_be_buffer *b, const xb_buffer_desc *desc, xb_error *err)
{
  CUmemGenericAllocationHandle allocation = 0;
  const CUresult result = d->cu->MemImportFromShareableHandle(&allocation, (void *)(uintptr_t)desc->shared.fd,
                                                              CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  if (result == CUDA_ERROR_INVALID_DEVICE ||
      result == CUDA_ERROR_NOT_PERMITTED) /* a GPU that this process does not see */
    return xb_fail_native(err, XB_UNSUPPORTED, "cuMemImportFromShareableHandle", (int)result,
                          cu_result_name(d->cu, result), "no access to the GPU with this memory");
  if (cu_refuses_handle(result))
    return xb_fail_native(err, XB_INVALID, "cuMemImportFromShareableHandle", (int)result, cu_result_name(d->cu, result),
                          "file descriptor %d is not memory of this GPU", desc->shared.fd);
  if (result)
    return cu_fail(d->cu, err, "cuMemImportFromShareableHandle", result);
  b->allocation = allocation;
  const xb_code code = map(d, b, desc->shared.bytes, true, err);
  if (!code)
    close(desc->shared.fd);
  return code;
}

xb_code cu_open_shared(xb_be_device *d, xb_be_buffer *b, const xb_buffer_desc *desc, xb_error *err)
{
  return desc->shared.dedicated ? import(d, b, desc, err) : import_own(d, b, desc, err);
}

xb_code cu_buffer_export(xb_be_device *d, xb_be_buffer *b, xb_shared *shared, xb_error *err)
{
  const xb_code code = cu_enter(d, err);
  if (code)
    return code;
  const CUresult result =
      d->cu->MemExportToShareableHandle(&shared->fd, b->allocation, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
  if (result) {
    shared->fd = -1;
    return cu_fail(d->cu, err, "cuMemExportToShareableHandle", result);
  }
  shared->bytes = b->reserved;
  return XB_OK;
}
