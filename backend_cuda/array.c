/* Images: CUDA arrays. */
#include "cu.h"

#include <stdlib.h>

CUarray_format cu_format(xb_texel format)
{
  return format == XB_TEXEL_FLOAT32   ? CU_AD_FORMAT_FLOAT
         : format == XB_TEXEL_FLOAT16 ? CU_AD_FORMAT_HALF
         : format == XB_TEXEL_INT32   ? CU_AD_FORMAT_SIGNED_INT32
         : format == XB_TEXEL_UINT32  ? CU_AD_FORMAT_UNSIGNED_INT32
                                      : CU_AD_FORMAT_UNSIGNED_INT8;
}

/* [image] Create the array: handle, memory and view in one. What it has not is 0. */
static xb_code create_array(xb_be_device *d, const xb_image_desc *desc, xb_be_image *i, xb_error *err)
{
  const CUDA_ARRAY3D_DESCRIPTOR array = {
      .Width = desc->width,
      .Height = desc->height,
      .Depth = desc->depth,
      .Format = cu_format(desc->format),
      .NumChannels = desc->channels,
      .Flags = desc->storage ? CUDA_ARRAY3D_SURFACE_LDST : 0,
  };
  const CUresult result = d->cu->Array3DCreate(&i->handle, &array);
  return result ? cu_fail(d->cu, err, "cuArray3DCreate", result) : XB_OK;
}

xb_code cu_image_create(xb_be_device *d, const xb_image_desc *desc, xb_be_image **image, xb_error *err)
{
  xb_be_image *i = calloc(1, sizeof *i);
  if (!i)
    return cu_no_host_memory(err, "xb_image_create");
  i->row_bytes = (size_t)desc->width * desc->channels * xb_texel_bytes(desc->format);
  i->integers = desc->format > XB_TEXEL_UNORM8;
  i->dimensions = desc->depth ? 3 : desc->height ? 2 : 1;
  i->rows = desc->height ? desc->height : 1;
  i->layers = desc->depth ? desc->depth : 1;
  xb_code code = cu_enter(d, err);
  code = code ? code : create_array(d, desc, i, err);
  if (code) {
    free(i);
    return code;
  }
  *image = i;
  return XB_OK;
}

void cu_image_destroy(xb_be_device *d, xb_be_image *i)
{
  if (cu_enter_to_free(d))
    d->cu->ArrayDestroy(i->handle);
  free(i);
}

/* [image] Copy: the driver knows the order of the texels. An array has no layouts to change. */
xb_code cu_cmd_copy_to_image(xb_be_commands *c, xb_be_image *dst, const xb_be_binding *src, xb_error *err)
{
  const char *host = src->buffer->host;
  cu_op op = {.kind = CU_OP_IMAGE};
  op.u.image = (CUDA_MEMCPY3D){
      .srcMemoryType = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
      .srcHost = host ? host + src->offset : NULL,
      .srcDevice = host ? 0 : src->buffer->address + src->offset,
      .srcPitch = dst->row_bytes,
      .srcHeight = dst->rows,
      .dstMemoryType = CU_MEMORYTYPE_ARRAY,
      .dstArray = dst->handle,
      .WidthInBytes = dst->row_bytes,
      .Height = dst->rows,
      .Depth = dst->layers,
  };
  const xb_code code = cu_enter(c->device, err);
  return code ? code : cu_record(c, &op, err);
}

xb_code cu_cmd_copy_from_image(xb_be_commands *c, const xb_be_binding *dst, xb_be_image *src, xb_error *err)
{
  char *host = dst->buffer->host;
  cu_op op = {.kind = CU_OP_IMAGE};
  op.u.image = (CUDA_MEMCPY3D){
      .srcMemoryType = CU_MEMORYTYPE_ARRAY,
      .srcArray = src->handle,
      .dstMemoryType = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
      .dstHost = host ? host + dst->offset : NULL,
      .dstDevice = host ? 0 : dst->buffer->address + dst->offset,
      .dstPitch = src->row_bytes,
      .dstHeight = src->rows,
      .WidthInBytes = src->row_bytes,
      .Height = src->rows,
      .Depth = src->layers,
  };
  const xb_code code = cu_enter(c->device, err);
  return code ? code : cu_record(c, &op, err);
}
