/* Typed buffers: unlike the others, the code reaches them by descriptors, in heaps of the command list. */
#include "dx.h"

#include <stdlib.h>

enum { VIEWS_A_HEAP = 256 };

static DXGI_FORMAT format_of(const xb_be_binding *b)
{
  static const DXGI_FORMAT formats[XB_TEXELS][3] = {
      [XB_TEXEL_FLOAT32] = {DXGI_FORMAT_R32_FLOAT, DXGI_FORMAT_R32G32_FLOAT, DXGI_FORMAT_R32G32B32A32_FLOAT},
      [XB_TEXEL_FLOAT16] = {DXGI_FORMAT_R16_FLOAT, DXGI_FORMAT_R16G16_FLOAT, DXGI_FORMAT_R16G16B16A16_FLOAT},
      [XB_TEXEL_UNORM8] = {DXGI_FORMAT_R8_UNORM, DXGI_FORMAT_R8G8_UNORM, DXGI_FORMAT_R8G8B8A8_UNORM},
      [XB_TEXEL_UINT8] = {DXGI_FORMAT_R8_UINT, DXGI_FORMAT_R8G8_UINT, DXGI_FORMAT_R8G8B8A8_UINT},
      [XB_TEXEL_INT32] = {DXGI_FORMAT_R32_SINT, DXGI_FORMAT_R32G32_SINT, DXGI_FORMAT_R32G32B32A32_SINT},
      [XB_TEXEL_UINT32] = {DXGI_FORMAT_R32_UINT, DXGI_FORMAT_R32G32_UINT, DXGI_FORMAT_R32G32B32A32_UINT},
  };
  return formats[b->format][b->channels / 2];
}

static xb_code check_format(xb_be_device *d, const xb_be_binding *b, xb_error *err)
{
  const bool storage = b->kind == XB_BINDING_STORAGE_TEXELS;
  D3D12_FEATURE_DATA_FORMAT_SUPPORT support = {.Format = format_of(b)};
  const HRESULT result =
      ID3D12Device_CheckFeatureSupport(d->handle, D3D12_FEATURE_FORMAT_SUPPORT, &support, sizeof support);
  const D3D12_FORMAT_SUPPORT1 needed =
      storage ? D3D12_FORMAT_SUPPORT1_TYPED_UNORDERED_ACCESS_VIEW : D3D12_FORMAT_SUPPORT1_BUFFER;
  if (!FAILED(result) && support.Support1 & needed)
    return XB_OK;
  return xb_fail(err, XB_UNSUPPORTED, "ID3D12Device::CheckFeatureSupport",
                 "this device has no %styped buffers of this format (%u channels of %u bytes)",
                 storage ? "writable " : "", b->channels, xb_texel_bytes(b->format));
}

/* The list takes its descriptors from a new heap from now on, so all of them are set again. */
static xb_code add_heap(xb_be_commands *c, xb_error *err)
{
  const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
                                           .NumDescriptors = VIEWS_A_HEAP,
                                           .Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE};
  void *made = NULL;
  if (!xb_grow(&c->view_heaps, &c->view_heap_capacity, c->view_heap_count, sizeof *c->view_heaps))
    return dx_no_host_memory(err, "ID3D12Device::CreateDescriptorHeap");
  if (!c->views && !(c->views = calloc(VIEWS_A_HEAP, sizeof *c->views)))
    return dx_no_host_memory(err, "ID3D12Device::CreateDescriptorHeap");
  const HRESULT result = ID3D12Device_CreateDescriptorHeap(c->device->handle, &desc, &IID_ID3D12DescriptorHeap, &made);
  if (FAILED(result))
    return dx_device_fail(c->device, err, "ID3D12Device::CreateDescriptorHeap", result);
  ID3D12DescriptorHeap *heap = made;
  c->view_heaps[c->view_heap_count++] = heap;
  c->view_count = 0;
  c->bound = NULL;
  ID3D12GraphicsCommandList_SetDescriptorHeaps(c->handle, 1, &heap);
  return XB_OK;
}

static void create_view(xb_be_commands *c, const xb_be_binding *b, D3D12_CPU_DESCRIPTOR_HANDLE at)
{
  const uint32_t texel = xb_texel_bytes(b->format) * b->channels;
  if (b->kind == XB_BINDING_STORAGE_TEXELS) {
    const D3D12_UNORDERED_ACCESS_VIEW_DESC desc = {
        .Format = format_of(b),
        .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
        .Buffer = {.FirstElement = b->offset / texel, .NumElements = (UINT)(b->size / texel)}};
    ID3D12Device_CreateUnorderedAccessView(c->device->handle, b->buffer->handle, NULL, &desc, at);
  } else {
    const D3D12_SHADER_RESOURCE_VIEW_DESC desc = {
        .Format = format_of(b),
        .ViewDimension = D3D12_SRV_DIMENSION_BUFFER,
        .Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING,
        .Buffer = {.FirstElement = b->offset / texel, .NumElements = (UINT)(b->size / texel)}};
    ID3D12Device_CreateShaderResourceView(c->device->handle, b->buffer->handle, &desc, at);
  }
}

xb_code dx_reserve_views(xb_be_commands *c, uint32_t count, xb_error *err)
{
  const bool fits = c->view_heap_count && c->view_count + count <= VIEWS_A_HEAP;
  return !count || fits ? XB_OK : add_heap(c, err);
}

/* [dispatch] A typed buffer: its format is in a descriptor, not in the code. */
xb_code dx_find_view(xb_be_commands *c, const xb_be_binding *b, uint64_t *view, xb_error *err)
{
  size_t i = 0;
  for (; i < c->view_count; i++) {
    const xb_be_binding *of = &c->views[i];
    if (of->buffer == b->buffer && of->offset == b->offset && of->size == b->size && of->format == b->format &&
        of->channels == b->channels && of->kind == b->kind)
      break;
  }
  const bool found = i < c->view_count;
  const xb_code code = found ? XB_OK : check_format(c->device, b, err);
  if (code)
    return code;
  ID3D12DescriptorHeap *heap = c->view_heaps[c->view_heap_count - 1];
  const uint64_t offset =
      i * ID3D12Device_GetDescriptorHandleIncrementSize(c->device->handle, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  if (!found) {
    D3D12_CPU_DESCRIPTOR_HANDLE at;
    heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(heap, &at);
    at.ptr += offset;
    create_view(c, b, at);
    c->views[c->view_count++] = *b;
  }
  D3D12_GPU_DESCRIPTOR_HANDLE first;
  heap->lpVtbl->GetGPUDescriptorHandleForHeapStart(heap, &first);
  *view = first.ptr + offset;
  return XB_OK;
}

void dx_views_free(xb_be_commands *c)
{
  for (size_t i = 0; i < c->view_heap_count && !c->device->dead; i++)
    DX_RELEASE(c->view_heaps[i]);
  free(c->view_heaps);
  free(c->views);
}
