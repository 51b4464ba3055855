/* Images: rows of texels, in order. */
#include "cpu.h"

#include <stdlib.h>
#include <string.h>

/* [image] Allocate its texels. */
xb_code cpu_image_create(xb_be_device *device, const xb_image_desc *desc, xb_be_image **image, xb_error *err)
{
  const size_t row = (size_t)desc->width * desc->channels * xb_texel_bytes(desc->format);
  const size_t bytes = row * (desc->height ? desc->height : 1) * (desc->depth ? desc->depth : 1);
  xb_be_image *i = calloc(1, sizeof *i);
  uint8_t *texels = bytes <= cpu_available_bytes() ? malloc(bytes) : NULL;
  (void)device;
  if (!i || !texels) {
    free(i);
    free(texels);
    return xb_fail(err, XB_NOMEM, "xb_image_create", "%zu bytes requested", bytes);
  }
  *i = (xb_be_image){.format = desc->format,
                     .width = desc->width,
                     .height = desc->height,
                     .depth = desc->depth,
                     .channels = desc->channels,
                     .texels = texels,
                     .bytes = bytes};
  *image = i;
  return XB_OK;
}

void cpu_image_destroy(xb_be_device *device, xb_be_image *image)
{
  (void)device;
  free(image->texels);
  free(image);
}
