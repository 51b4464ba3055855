/* Buffers: resources, which are committed or placed (heaps.c). */
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

/* [buffer] A small buffer is placed in a heap; a larger one is committed: it has memory of its own. */
static HRESULT create_resource(xb_be_device *d, const D3D12_HEAP_PROPERTIES *heap, xb_be_buffer *b, const char **call)
{
  const D3D12_RESOURCE_DESC desc = {
      .Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
      .Width = b->bytes,
      .Height = 1,
      .DepthOrArraySize = 1,
      .MipLevels = 1,
      .SampleDesc = {.Count = 1},
      .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
      .Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS,
  };
  void *handle = NULL;
  HRESULT result;
  if (b->heap) {
    *call = "ID3D12Device::CreatePlacedResource";
    result = ID3D12Device_CreatePlacedResource(d->handle, b->heap->handle, b->place * (uint64_t)DX_PLACE_BYTES, &desc,
                                               D3D12_RESOURCE_STATE_COMMON, NULL, &IID_ID3D12Resource, &handle);
  } else {
    *call = "ID3D12Device::CreateCommittedResource";
    result = ID3D12Device_CreateCommittedResource(d->handle, heap, D3D12_HEAP_FLAG_NONE, &desc,
                                                  D3D12_RESOURCE_STATE_COMMON, NULL, &IID_ID3D12Resource, &handle);
  }
  b->handle = FAILED(result) ? NULL : handle;
  return result;
}

/* [buffer] UPLOAD and READBACK memory stays mapped. */
static xb_code create(xb_be_device *d, xb_mem mem, xb_be_buffer *b, void **host, xb_error *err)
{
  const D3D12_HEAP_PROPERTIES heap = heap_of(mem);
  const char *call;
  const xb_code code =
      b->bytes <= DX_PLACED_BYTES ? dx_take_place(d, &heap, mem, b->bytes, &b->heap, &b->place, err) : XB_OK;
  if (code)
    return code;
  HRESULT result = create_resource(d, &heap, b, &call);
  if (result == E_OUTOFMEMORY)
    return xb_fail_native(err, XB_NOMEM, call, (int)result, dx_result_name(result),
                          "%" PRIu64 " bytes requested, the device has %" PRIu64 " in total", b->bytes,
                          d->memory_bytes);
  if (FAILED(result))
    return dx_device_fail(d, err, call, result);
  b->address = ID3D12Resource_GetGPUVirtualAddress(b->handle);
  if (mem == XB_MEM_DEVICE)
    return XB_OK;
  result = ID3D12Resource_Map(b->handle, 0, NULL, host);
  return FAILED(result) ? dx_device_fail(d, err, "ID3D12Resource::Map", result) : XB_OK;
}

xb_code dx_buffer_create(xb_be_device *d, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host, xb_error *err)
{
  if (desc->mem > XB_MEM_UPLOAD_COMBINED || desc->exportable)
    return xb_fail(err, XB_UNSUPPORTED, "xb_buffer_create",
                   "the Direct3D 12 backend has no mapped, imported or shared memory of the device");
  xb_be_buffer *b = calloc(1, sizeof *b);
  if (!b)
    return dx_no_host_memory(err, "xb_buffer_create");
  b->bytes = desc->bytes;
  const xb_code code = create(d, desc->mem, b, host, err);
  if (code)
    dx_buffer_destroy(d, b);
  else
    *buffer = b;
  return code;
}

void dx_buffer_destroy(xb_be_device *d, xb_be_buffer *b)
{
  if (!d->dead)
    DX_RELEASE(b->handle);
  if (b->heap)
    dx_leave_place(b->heap, b->place, b->bytes);
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
