/* Image of an item of Buffers. */
#include "pair/layout.h"
#include "pair/read.h"

#include <stdio.h>
#include <string.h>

static bool read_truth(xb_manifest_reader *r, const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  if (value && !json_is_boolean(value))
    xb_refuse_value(r, key, "expected true or false");
  return json_is_true(value);
}

xb_texel xb_pair_texel(const xb_pair_buffer *b)
{
  const xb_member *m = &b->element.members[0];
  if (!xb_is_plain(&b->element) || m->name || m->count > 4 || m->count == 3)
    return XB_TEXEL_NONE;
  switch (m->dtype) {
  case XB_FLOAT32: return XB_TEXEL_FLOAT32;
  case XB_FLOAT16: return XB_TEXEL_FLOAT16;
  case XB_INT32: return XB_TEXEL_INT32;
  case XB_UINT32: return XB_TEXEL_UINT32;
  case XB_UINT8: return m->fractions ? XB_TEXEL_UNORM8 : XB_TEXEL_UINT8;
  default: return XB_TEXEL_NONE;
  }
}

void xb_read_image(xb_manifest_reader *r, const json_t *buffer, xb_pair_buffer *b)
{
  static const char *const filters[] = {"point", "linear", NULL}, *const addresses[] = {"clamp", "wrap", "border",
                                                                                        NULL};
  static const char *const coordinates[] = {"texels", "normalized", NULL};
  const json_t *image = json_object_get(buffer, "Image");
  const size_t length = strlen(r->path);
  if (!image)
    return;
  snprintf(r->path + length, sizeof r->path - length, ".Image");
  xb_check_keys(r, image, "Width Height Unorm Filter Address Coordinates");
  const char *width = xb_text_of(r, image, "Width"), *height = xb_text_of(r, image, "Height");
  b->image = (xb_pair_image){
      .width = width ? width : "columns",
      .height = height ? height : "rows",
      .sampler = {.filter = (xb_filter)xb_choice_of(r, image, "Filter", filters),
                  .address = (xb_address)xb_choice_of(r, image, "Address", addresses),
                  .normalized = xb_choice_of(r, image, "Coordinates", coordinates)},
      .own_coordinates = json_object_get(image, "Coordinates"),
  };
  b->element.members[0].fractions = read_truth(r, image, "Unorm");
  if (b->element.members[0].fractions && b->element.members[0].dtype != XB_UINT8)
    xb_refuse_value(r, "Unorm", "only uint8 can be read as fractions");
  r->path[length] = 0;
  if (!xb_pair_texel(b))
    xb_refuse_value(r, "Format", "an image has 1, 2 or 4 numbers of float32, float16, int32, uint32 or uint8");
}
