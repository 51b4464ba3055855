/* Arrays, texture and surface objects. */
#include "fake.h"

#include <stdlib.h>

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *texels, CUarray_format format, unsigned channels, CUdevice device)
{
  (void)format, (void)channels, (void)device;
  *texels = 1 << 28;
  return fake_enter("cuDeviceGetTexture1DLinearMaxWidth");
}

CUresult cuArray3DCreate(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR *desc)
{
  const CUresult result = fake_enter_context("cuArray3DCreate");
  if (result)
    return result;
  fake_array *array = fake_new(FAKE_ARRAY, sizeof *array);
  array->bytes =
      desc->Width * (desc->Height ? desc->Height : 1) * (desc->Depth ? desc->Depth : 1) * desc->NumChannels * 4;
  array->line = !desc->Height;
  array->surface = desc->Flags & CUDA_ARRAY3D_SURFACE_LDST;
  array->data = calloc(1, array->bytes);
  *handle = (CUarray)(void *)array;
  return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray handle)
{
  fake_array *array = fake_get(handle, FAKE_ARRAY);
  if (array)
    free(array->data);
  fake_end(handle, FAKE_ARRAY);
  return fake_enter_context("cuArrayDestroy");
}

CUresult cuTexObjectCreate(CUtexObject *handle, const CUDA_RESOURCE_DESC *from, const CUDA_TEXTURE_DESC *how,
                           const CUDA_RESOURCE_VIEW_DESC *view)
{
  const CUresult result = fake_enter_context("cuTexObjectCreate");
  (void)view;
  if (result)
    return result;
  fake_texture *texture = fake_new(FAKE_TEXTURE, sizeof *texture);
  if (from->resType == CU_RESOURCE_TYPE_ARRAY)
    texture->array = fake_get(from->res.array.hArray, FAKE_ARRAY);
  else if (fake_memory(from->res.linear.devPtr, from->res.linear.sizeInBytes))
    texture->data = from->res.linear.devPtr;
  else
    fake_broken("a texture object of memory that was not allocated");
  /* Seen on an H200: every texel had half of its value. */
  if (texture->array && texture->array->line && how->filterMode == CU_TR_FILTER_MODE_LINEAR &&
      how->addressMode[1] == CU_TR_ADDRESS_MODE_BORDER)
    fake_broken("an array of one dimension has borders above and below, which a linear filter blends in");
  *handle = (CUtexObject)(uintptr_t)texture;
  return CUDA_SUCCESS;
}

CUresult cuTexObjectDestroy(CUtexObject handle)
{
  fake_end((void *)(uintptr_t)handle, FAKE_TEXTURE);
  return fake_enter_context("cuTexObjectDestroy");
}

CUresult cuSurfObjectCreate(CUsurfObject *handle, const CUDA_RESOURCE_DESC *from)
{
  const CUresult result = fake_enter_context("cuSurfObjectCreate");
  if (result)
    return result;
  fake_texture *surface = fake_new(FAKE_TEXTURE, sizeof *surface);
  surface->array = fake_get(from->res.array.hArray, FAKE_ARRAY);
  if (surface->array && !surface->array->surface)
    fake_broken("a surface object of an array without CUDA_ARRAY3D_SURFACE_LDST");
  *handle = (CUsurfObject)(uintptr_t)surface;
  return CUDA_SUCCESS;
}

CUresult cuSurfObjectDestroy(CUsurfObject handle)
{
  fake_end((void *)(uintptr_t)handle, FAKE_TEXTURE);
  return fake_enter_context("cuSurfObjectDestroy");
}

/* A map has what it was made of, one number after the other. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, uint32_t rank, void *at,
                                const uint64_t *size, const uint64_t *pitch, const uint32_t *tile, const uint32_t *step,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
  const CUresult result = fake_enter_context("cuTensorMapEncodeTiled");
  if (result)
    return result;
  if ((uintptr_t)map % 64 || (uintptr_t)at % 16)
    fake_broken("a tensor map at an address that is no multiple of 64, or memory at one that is none of 16");
  *map = (CUtensorMap){.opaque = {(uintptr_t)at, (uint64_t)type, rank, (uint64_t)swizzle}};
  for (uint32_t i = 0, k = 4; i < rank; i++) {
    if (i && pitch[i - 1] % 16)
      fake_broken("rows of a tensor map begin at addresses that are no multiples of 16");
    map->opaque[k++] = size[i];
    map->opaque[k++] = i ? pitch[i - 1] : 0;
    map->opaque[k++] = tile[i] * (uint64_t)step[i];
  }
  map->opaque[15] = (uint64_t)interleave + (uint64_t)promotion + (uint64_t)fill;
  return CUDA_SUCCESS;
}

CUdeviceptr fake_behind(CUdeviceptr parameter)
{
  for (fake_object *o = fake_objects; o; o = o->next) {
    const fake_texture *texture = (const fake_texture *)(void *)o;
    if (o->kind != FAKE_TEXTURE || o->ended || (CUdeviceptr)(uintptr_t)o != parameter)
      continue;
    if (texture->array && texture->array->object.ended)
      fake_broken("a texture object outlived its array");
    return texture->array ? (CUdeviceptr)(uintptr_t)texture->array->data : texture->data;
  }
  return parameter;
}
