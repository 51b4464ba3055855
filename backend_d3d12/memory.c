/* Buffers: committed resources, each with its own memory. */
#include "dx.h"

#include <inttypes.h>
#include <stdlib.h>

/* Memory of the host is a custom heap: buffers of the kinds UPLOAD and READBACK have one state for ever, and kernels
 * cannot write them. These are the properties that such heaps have on a discrete GPU. */
static D3D12_HEAP_PROPERTIES heap_of(xb_mem mem)
{
  switch (mem) {
  case XB_MEM_UPLOAD:
  case XB_MEM_UPLOAD_COMBINED:
    return (D3D12_HEAP_PROPERTIES){.Type = D3D12_HEAP_TYPE_CUSTOM,
                                   .CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE,
                                   .MemoryPoolPreference = D3D12_MEMORY_POOL_L0};
  case XB_MEM_READBACK:
    return (D3D12_HEAP_PROPERTIES){.Type = D3D12_HEAP_TYPE_CUSTOM,
                                   .CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                   .MemoryPoolPreference = D3D12_MEMORY_POOL_L0};
  default: return (D3D12_HEAP_PROPERTIES){.Type = D3D12_HEAP_TYPE_DEFAULT};
  }
}

/* [buffer] Create the resource with its memory. UPLOAD and READBACK memory stays mapped. */
xb_code dx_buffer_create(xb_be_device *d, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host, xb_error *err)
{
  if (desc->mem > XB_MEM_UPLOAD_COMBINED || desc->exportable)
    return xb_fail(err, XB_UNSUPPORTED, "xb_buffer_create",
                   "the Direct3D 12 backend has no mapped, imported or shared memory of the device");
  xb_be_buffer *b = calloc(1, sizeof *b);
  if (!b)
    return dx_no_host_memory(err, "xb_buffer_create");
  const D3D12_HEAP_PROPERTIES heap = heap_of(desc->mem);
  const D3D12_RESOURCE_DESC resource = {
      .Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
      .Width = desc->bytes,
      .Height = 1,
      .DepthOrArraySize = 1,
      .MipLevels = 1,
      .SampleDesc = {.Count = 1},
      .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
      .Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS,
  };
  void *handle = NULL;
  HRESULT result =
      ID3D12Device_CreateCommittedResource(d->handle, &heap, D3D12_HEAP_FLAG_NONE, &resource,
                                           D3D12_RESOURCE_STATE_COMMON, NULL, &IID_ID3D12Resource, &handle);
  if (FAILED(result)) {
    free(b);
    const char *const call = "ID3D12Device::CreateCommittedResource";
    const xb_code code = dx_fail(err, call, result);
    return code != XB_NOMEM ? code
                            : xb_fail_native(err, XB_NOMEM, call, (int)result, dx_result_name(result),
                                             "%" PRIu64 " bytes requested, the device has %" PRIu64 " in total",
                                             desc->bytes, d->memory_bytes);
  }
  b->handle = handle;
  b->address = ID3D12Resource_GetGPUVirtualAddress(b->handle);
  if (desc->mem != XB_MEM_DEVICE) {
    result = ID3D12Resource_Map(b->handle, 0, NULL, host);
    if (FAILED(result)) {
      dx_buffer_destroy(d, b);
      return dx_fail(err, "ID3D12Resource::Map", result);
    }
  }
  *buffer = b;
  return XB_OK;
}

void dx_buffer_destroy(xb_be_device *d, xb_be_buffer *b)
{
  if (!d->dead)
    DX_RELEASE(b->handle);
  free(b);
}

/* Memory of the host is always coherent. */
xb_code dx_buffer_coherent(xb_be_device *d, xb_be_buffer *b, xb_error *err)
{
  (void)d, (void)b, (void)err;
  return XB_OK;
}

uint64_t dx_buffer_native(xb_be_buffer *b)
{
  return (uint64_t)(uintptr_t)b->handle;
}
