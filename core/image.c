/* Images: their lifetime, the copies to one and from one, and the checks of a binding. */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>

uint32_t xb_texel_bytes(xb_texel format)
{
  static const uint32_t bytes[XB_TEXELS] = {
      [XB_TEXEL_FLOAT32] = 4, [XB_TEXEL_FLOAT16] = 2, [XB_TEXEL_UNORM8] = 1,
      [XB_TEXEL_UINT8] = 1,   [XB_TEXEL_INT32] = 4,   [XB_TEXEL_UINT32] = 4,
  };
  return format < XB_TEXELS ? bytes[format] : 0;
}

static xb_code check(const xb_device_info *info, const xb_image_desc *desc, const char *where, xb_error *err)
{
  if (!info->max_image_size[0])
    return xb_fail(err, XB_UNSUPPORTED, where, "%s has no images here: use a buffer", info->backend);
  if (!xb_texel_bytes(desc->format))
    return xb_fail(err, XB_INVALID, where, "format %d does not exist", (int)desc->format);
  if (desc->channels > 4 || desc->channels == 3)
    return xb_fail(err, XB_INVALID, where, "%u channels: a texel has 1, 2 or 4", desc->channels);
  if (!desc->width || (desc->depth && !desc->height))
    return xb_fail(err, XB_INVALID, where,
                   "%u x %u x %u texels: an image needs a width, and a height if it has a depth", desc->width,
                   desc->height, desc->depth);
  const bool line = !desc->height, volume = desc->depth;
  if (desc->storage && (line || volume))
    return xb_fail(err, XB_INVALID, where, "%u x %u x %u texels: a storage image has two dimensions", desc->width,
                   desc->height, desc->depth);
  const uint32_t width = line ? info->max_line : volume ? info->max_volume : info->max_image_size[0];
  const uint32_t height = volume ? info->max_volume : info->max_image_size[1];
  if (desc->width > width || desc->height > height || desc->depth > info->max_volume)
    return xb_fail(err, XB_UNSUPPORTED, where, "%u x %u x %u texels, this device allows %u x %u x %u", desc->width,
                   desc->height, desc->depth, width, line ? 0 : height, volume ? info->max_volume : 0);
  return XB_OK;
}

xb_code xb_image_create(xb_device *device, const xb_image_desc *desc, xb_image **image, xb_error *err)
{
  const char *const where = "xb_image_create";
  if (!device || !desc || !image)
    return xb_fail(err, XB_INVALID, where, "the device, the description or the result pointer is NULL");
  *image = NULL;
  xb_code code = xb_device_usable(device, where, err);
  code = code ? code : check(&device->info, desc, where, err);
  if (code)
    return code;
  xb_image *i = calloc(1, sizeof *i);
  if (!i)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  xb_label_copy(i->label, desc->label, "image");
  xb_image_desc full = *desc;
  full.channels = desc->channels ? desc->channels : 1;
  code = device->backend->image_create(device->be, &full, &i->be, err);
  if (code) {
    free(i);
    return xb_device_result(device, code);
  }
  i->device = device;
  i->format = desc->format;
  i->storage = desc->storage;
  const uint32_t texel = full.channels * xb_texel_bytes(desc->format);
  i->align = texel > XB_WORD ? texel : XB_WORD;
  i->bytes = (uint64_t)desc->width * (desc->height ? desc->height : 1) * (desc->depth ? desc->depth : 1) * texel;
  i->dimensions = desc->depth ? 3 : desc->height ? 2 : 1;
  i->refs = 1;
  device->alive++;
  *image = i;
  return XB_OK;
}

void xb_image_release(xb_image *image)
{
  if (--image->refs)
    return;
  image->device->backend->image_destroy(image->device->be, image->be);
  free(image);
}

void xb_image_destroy(xb_image *image)
{
  if (!image || xb_device_is_foreign(image->device))
    return;
  image->device->alive--;
  xb_image_release(image);
}

/* ---- Recording -------------------------------------------------------------------------------------------------- */

xb_code xb_retain_image(xb_commands *c, xb_image *image, bool fills)
{
  for (size_t i = 0; i < c->image_count; i++)
    if (c->images[i].image == image) {
      c->images[i].fills |= fills;
      return XB_OK;
    }
  if (!xb_grow(&c->images, &c->image_capacity, c->image_count, sizeof *c->images))
    return xb_fail(&c->error, XB_NOMEM, c->label, "out of host memory");
  c->images[c->image_count++] = (xb_image_use){.image = image, .reads_before = !fills, .fills = fills};
  image->refs++;
  return XB_OK;
}

xb_code xb_check_filled(const xb_commands *c, xb_error *err)
{
  for (size_t i = 0; i < c->image_count; i++)
    if (c->images[i].reads_before && !c->images[i].image->filled)
      return xb_fail(err, XB_INVALID, "xb_submit",
                     "'%s' reads image '%s', which nothing was copied to: submit xb_cmd_copy_to_image first", c->label,
                     c->images[i].image->label);
  return XB_OK;
}

void xb_note_filled(xb_commands *c)
{
  for (size_t i = 0; i < c->image_count; i++)
    c->images[i].image->filled |= c->images[i].fills;
}

static xb_code check_sampler(xb_commands *c, const char *by, const char *what, const xb_image *image, xb_sample_mode s)
{
  if (s.filter > XB_FILTER_LINEAR || s.address > XB_ADDRESS_BORDER)
    return xb_fail(&c->error, XB_INVALID, by, "%s: filter %d or address mode %d does not exist", what, (int)s.filter,
                   (int)s.address);
  if (s.address == XB_ADDRESS_WRAP && !s.normalized)
    return xb_fail(&c->error, XB_INVALID, by, "%s: only normalized coordinates wrap", what);
  if (image->dimensions == 3 && !s.normalized) /* Vulkan's rule */
    return xb_fail(&c->error, XB_INVALID, by, "%s: the coordinates of an image with a depth are normalized", what);
  if (s.filter == XB_FILTER_LINEAR && !(c->device->info.linear_formats >> image->format & 1))
    return xb_fail(&c->error, XB_UNSUPPORTED, by, "%s: this device does not filter '%s' (format %d)", what,
                   image->label, (int)image->format);
  return XB_OK;
}

xb_code xb_check_image(xb_commands *c, const char *by, const char *what, const xb_binding *b, xb_be_binding *be,
                       xb_touch *touch)
{
  if (!b->image || b->image->device != c->device)
    return xb_fail(&c->error, XB_INVALID, by, "%s has no image of this device", what);
  const bool storage = b->kind == XB_BINDING_STORAGE_IMAGE;
  if (storage && !b->image->storage)
    return xb_fail(&c->error, XB_INVALID, by, "%s: image '%s' was not created as a storage image", what,
                   b->image->label);
  const xb_code code = storage ? XB_OK : check_sampler(c, by, what, b->image, b->sampler);
  if (code)
    return code;
  *be = (xb_be_binding){.kind = b->kind, .image = b->image->be, .sampler = b->sampler, .access = b->access};
  *touch =
      (xb_touch){.object = b->image, .label = b->image->label, .end = b->image->bytes, .access = b->access, .by = by};
  return XB_OK;
}

/* Checks a copy between an image and a buffer. False if it is refused. */
static bool check_copy(xb_commands *c, const char *where, xb_image *image, xb_buffer *buffer, uint64_t offset,
                       bool fills)
{
  if (!xb_recording(c, where))
    return false;
  if (!image || image->device != c->device)
    xb_fail(&c->error, XB_INVALID, where, "no image of this device given");
  else if (c->queue >= XB_QUEUE_COPY)
    xb_fail(&c->error, XB_INVALID, where, "a copy queue does not support images");
  else if (offset % image->align)
    xb_fail(&c->error, XB_INVALID, where, "offset %" PRIu64 " is not a multiple of %u", offset, image->align);
  if (c->error.code || xb_check_range(c, where, fills ? "source" : "destination", buffer, offset, image->bytes, 1))
    return false;
  const xb_access access[] = {fills ? XB_READ : XB_WRITE, fills ? XB_WRITE : XB_READ};
  const xb_touch touches[] = {
      {.object = buffer,
       .label = buffer->label,
       .begin = offset,
       .end = offset + image->bytes,
       .access = access[0],
       .by = where},
      {.object = image, .label = image->label, .end = image->bytes, .access = access[1], .by = where},
  };
  return !xb_hazards_add(&c->hazards, touches, 2, &c->error) && !xb_retain_buffer(c, buffer) &&
         !xb_retain_image(c, image, fills);
}

void xb_cmd_copy_to_image(xb_commands *c, xb_image *dst, xb_buffer *src, uint64_t offset)
{
  if (!check_copy(c, "xb_cmd_copy_to_image", dst, src, offset, true))
    return;
  const xb_be_binding from = {.buffer = src->be, .offset = offset, .size = dst->bytes};
  xb_stick(c, c->device->backend->cmd_copy_to_image(c->be, dst->be, &from, &c->error));
}

void xb_cmd_copy_from_image(xb_commands *c, xb_buffer *dst, uint64_t offset, xb_image *src)
{
  if (!check_copy(c, "xb_cmd_copy_from_image", src, dst, offset, false))
    return;
  const xb_be_binding to = {.buffer = dst->be, .offset = offset, .size = src->bytes};
  xb_stick(c, c->device->backend->cmd_copy_from_image(c->be, &to, src->be, &c->error));
}
