/* What a list's dispatches read and write texels and tiles through: texture and surface objects, tensor maps.
 * Dispatches share them. */
#include "cu.h"

#include <stdlib.h>
#include <string.h>

static bool same(const xb_be_binding *a, const xb_be_binding *b)
{
  return a->buffer == b->buffer && a->offset == b->offset && a->size == b->size && a->format == b->format &&
         a->channels == b->channels && a->image == b->image && a->kind == b->kind &&
         a->sampler.filter == b->sampler.filter && a->sampler.address == b->sampler.address &&
         a->sampler.normalized == b->sampler.normalized && !memcmp(&a->tiles, &b->tiles, sizeof a->tiles);
}

/* [dispatch] A texture object has the format of a texel buffer, or an array and how it is sampled. Floats and fractions
 * of 8 bits are read as floats, unless CU_TRSF_READ_AS_INTEGER is set. */
static CUresult create(const xb_be_device *d, const xb_be_binding *b, unsigned long long *view)
{
  static const CUaddress_mode modes[] = {[XB_ADDRESS_CLAMP] = CU_TR_ADDRESS_MODE_CLAMP,
                                         [XB_ADDRESS_WRAP] = CU_TR_ADDRESS_MODE_WRAP,
                                         [XB_ADDRESS_BORDER] = CU_TR_ADDRESS_MODE_BORDER};
  const CUaddress_mode mode = modes[b->sampler.address];
  /* A border in a dimension that the array lacks is blended in by a linear filter: seen on an H200, of a line. */
  const uint32_t dimensions = b->image ? b->image->dimensions : 1;
  const CUDA_TEXTURE_DESC how = {
      .addressMode = {mode, dimensions > 1 ? mode : CU_TR_ADDRESS_MODE_CLAMP,
                      dimensions > 2 ? mode : CU_TR_ADDRESS_MODE_CLAMP},
      .filterMode = b->sampler.filter == XB_FILTER_LINEAR ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT,
      .flags = (b->sampler.normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
               (b->image && b->image->integers ? CU_TRSF_READ_AS_INTEGER : 0),
  };
  CUDA_RESOURCE_DESC from = {.resType = b->image ? CU_RESOURCE_TYPE_ARRAY : CU_RESOURCE_TYPE_LINEAR};
  if (b->image) {
    from.res.array.hArray = b->image->handle;
  } else {
    from.res.linear.devPtr = b->buffer->address + b->offset;
    from.res.linear.format = cu_format(b->format);
    from.res.linear.numChannels = b->channels;
    from.res.linear.sizeInBytes = b->size;
  }
  if (b->kind == XB_BINDING_STORAGE_IMAGE)
    return d->cu->SurfObjectCreate(view, &from);
  return d->cu->TexObjectCreate(view, &from, &how, NULL);
}

/* [dispatch] A kernel gets the map itself as its parameter, so the driver keeps no object. */
static xb_code map_tiles(const xb_be_device *d, const xb_be_binding *b, unsigned long long *view, xb_error *err)
{
  const xb_tiles *t = &b->tiles;
  const CUtensorMapDataType type = t->element_bytes == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                                   : t->element_bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                                                           : CU_TENSOR_MAP_DATA_TYPE_UINT32;
  const uint32_t each[] = {1, 1, 1};
  CUtensorMap map; /* at its alignment, which the copy does not need */
  const CUresult result = d->cu->TensorMapEncodeTiled(
      &map, type, t->dimensions, (void *)(uintptr_t)(b->buffer->address + b->offset), t->size, t->pitch, t->tile, each,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result)
    return cu_fail(d->cu, err, "cuTensorMapEncodeTiled", result);
  void *const copy = malloc(sizeof map);
  if (!copy)
    return cu_no_host_memory(err, "cuTensorMapEncodeTiled");
  *view = (unsigned long long)(uintptr_t)memcpy(copy, &map, sizeof map);
  return XB_OK;
}

static xb_code create_view(const xb_be_device *d, const xb_be_binding *b, unsigned long long *view, xb_error *err)
{
  if (b->kind == XB_BINDING_TILES)
    return map_tiles(d, b, view, err);
  const CUresult result = create(d, b, view);
  return result ? cu_fail(d->cu, err, b->kind == XB_BINDING_STORAGE_IMAGE ? "cuSurfObjectCreate" : "cuTexObjectCreate",
                          result)
                : XB_OK;
}

xb_code cu_find_view(xb_be_device *d, cu_views *views, const xb_be_binding *b, unsigned long long *view, xb_error *err)
{
  for (size_t i = 0; i < views->count; i++)
    if (same(&views->list[i].of, b)) {
      *view = views->list[i].handle;
      return XB_OK;
    }
  if (!xb_grow(&views->list, &views->capacity, views->count, sizeof *views->list))
    return cu_no_host_memory(err, "cuTexObjectCreate");
  const xb_code code = create_view(d, b, view, err);
  if (code)
    return code;
  views->list[views->count++] = (cu_view){.of = *b, .handle = *view};
  return XB_OK;
}

void cu_views_free(xb_be_device *d, cu_views *views)
{
  for (size_t i = 0; i < views->count; i++)
    if (views->list[i].of.kind == XB_BINDING_TILES)
      free((void *)(uintptr_t)views->list[i].handle);
    else if (cu_enter_to_free(d)) {
      if (views->list[i].of.kind == XB_BINDING_STORAGE_IMAGE)
        d->cu->SurfObjectDestroy(views->list[i].handle);
      else
        d->cu->TexObjectDestroy(views->list[i].handle);
    }
  free(views->list);
}
