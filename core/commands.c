#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

xb_code xb_commands_create(xb_device *device, const xb_commands_desc *desc, xb_commands **commands, xb_error *err)
{
  const char *const where = "xb_commands_create";
  if (!device || !desc || !commands)
    return xb_fail(err, XB_INVALID, where, "the device, the description or the result pointer is NULL");
  *commands = NULL;
  xb_code code = xb_device_usable(device, where, err);
  if (code)
    return code;
  if (desc->queue >= XB_MAX_QUEUES)
    return xb_fail(err, XB_INVALID, where, "queue %d does not exist", (int)desc->queue);
  const int number = desc->queue % XB_QUEUES_OF_A_KIND;
  const char *kind = xb_queue_kind(desc->queue);
  if (!device->info.queues[desc->queue].present)
    return number ? xb_fail(err, XB_UNSUPPORTED, where,
                            "'%s' was opened without %s queue %d: ask for it with xb_device_desc.%s_queues",
                            device->info.name, kind, number, kind)
                  : xb_fail(err, XB_UNSUPPORTED, where, "'%s' has no %s queue", device->info.name, kind);
  if (desc->timestamp_count > XB_MAX_TIMESTAMPS)
    return xb_fail(err, XB_INVALID, where, "%u timestamps, at most %d are allowed", desc->timestamp_count,
                   XB_MAX_TIMESTAMPS);
  if (desc->timestamp_count && !device->info.queues[desc->queue].timestamp_bits)
    return xb_fail(err, XB_UNSUPPORTED, where, "this queue of '%s' does not support timestamps", device->info.name);

  xb_commands *c = calloc(1, sizeof *c);
  uint8_t *stamped = calloc((size_t)desc->timestamp_count + 1, 1);
  if (!c || !stamped) {
    free(c);
    free(stamped);
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  }
  c->stamped = stamped;
  xb_label_copy(c->label, desc->label, "commands");
  code = device->backend->commands_create(device->be, desc, &c->be, err);
  if (code) {
    free(c->stamped);
    free(c);
    return xb_device_result(device, code);
  }
  c->device = device;
  c->queue = desc->queue;
  c->timestamp_count = desc->timestamp_count;
  c->refs = 1;
  device->alive++;
  *commands = c;
  return XB_OK;
}

void xb_commands_release(xb_commands *commands)
{
  if (--commands->refs)
    return;
  xb_commands *const c = commands;
  c->device->backend->commands_destroy(c->device->be, c->be);
  for (size_t i = 0; i < c->buffer_count; i++)
    xb_buffer_release(c->buffers[i]);
  for (size_t i = 0; i < c->kernel_count; i++)
    xb_kernel_release(c->kernels[i]);
  for (size_t i = 0; i < c->image_count; i++)
    xb_image_release(c->images[i].image);
  free(c->buffers);
  free(c->kernels);
  free(c->images);
  free(c->stamped);
  xb_hazards_free(&c->hazards);
  free(c);
}

void xb_commands_destroy(xb_commands *commands)
{
  if (!commands || xb_device_is_foreign(commands->device))
    return;
  commands->device->alive--;
  xb_commands_release(commands);
}

/* ---- Recording -------------------------------------------------------------------------------------------------- */

bool xb_recording(xb_commands *c, const char *where)
{
  if (!c || c->error.code)
    return false;
  if (c->finished)
    xb_fail(&c->error, XB_INVALID, where, "command list '%s' is finished: record into a new one", c->label);
  else
    xb_device_usable(c->device, where, &c->error);
  return !c->error.code;
}

void xb_stick(xb_commands *c, xb_code code)
{
  if (code && !c->error.code)
    xb_fail(&c->error, code, c->label, "recording failed");
  xb_device_result(c->device, code);
}

xb_code xb_retain_buffer(xb_commands *c, xb_buffer *buffer)
{
  for (size_t i = 0; i < c->buffer_count; i++)
    if (c->buffers[i] == buffer)
      return XB_OK;
  if (!xb_grow(&c->buffers, &c->buffer_capacity, c->buffer_count, sizeof(xb_buffer *)))
    return xb_fail(&c->error, XB_NOMEM, c->label, "out of host memory");
  c->buffers[c->buffer_count++] = buffer;
  buffer->refs++;
  return XB_OK;
}

xb_code xb_check_range(xb_commands *c, const char *by, const char *what, const xb_buffer *buffer, uint64_t offset,
                       uint64_t bytes, uint64_t unit)
{
  if (!buffer)
    return xb_fail(&c->error, XB_INVALID, by, "%s has no buffer", what);
  if (buffer->device != c->device)
    return xb_fail(&c->error, XB_INVALID, by, "%s: buffer '%s' belongs to another device", what, buffer->label);
  if (!bytes || bytes % unit || offset % unit)
    return xb_fail(&c->error, XB_INVALID, by,
                   "%s: offset %" PRIu64 ", %" PRIu64 " bytes: both must be multiples of %" PRIu64
                   ", with at least %" PRIu64 " bytes",
                   what, offset, bytes, unit, unit);
  if (offset > buffer->bytes || bytes > buffer->bytes - offset)
    return xb_fail(&c->error, XB_INVALID, by,
                   "%s: offset %" PRIu64 ", %" PRIu64 " bytes go past the end of buffer '%s' of %" PRIu64 " bytes",
                   what, offset, bytes, buffer->label, buffer->bytes);
  return XB_OK;
}

/* Tiles within a range of `bytes`. */
static xb_code check_tiles(xb_commands *c, const char *by, const char *what, const xb_tiles *t, uint64_t bytes)
{
  const bool known = (t->dimensions == 2 || t->dimensions == 3) &&
                     (t->element_bytes == 1 || t->element_bytes == 2 || t->element_bytes == 4);
  uint64_t end = known ? t->element_bytes : 0; /* of the last element */
  bool fits = known && (uint64_t)t->tile[0] * t->element_bytes <= XB_TILE_ROW_BYTES;
  for (uint32_t i = 0; fits && i < t->dimensions; i++) {
    const uint64_t pitch = i ? t->pitch[i - 1] : t->element_bytes;
    fits = t->size[i] && t->size[i] <= UINT32_MAX && t->tile[i] && t->tile[i] <= XB_TILE_SIDE &&
           (!i || (pitch && pitch % XB_TILE_ALIGN == 0));
    if (fits && t->size[i] - 1 > (UINT64_MAX - end) / pitch)
      end = UINT64_MAX;
    else if (fits)
      end += (t->size[i] - 1) * pitch;
  }
  if (!fits)
    return xb_fail(&c->error, XB_INVALID, by,
                   "%s: tiles have 2 or 3 dimensions of 1 to %d elements of 1, 2 or 4 bytes, at most %d bytes in the "
                   "first; rows and layers begin at multiples of %d bytes",
                   what, XB_TILE_SIDE, XB_TILE_ROW_BYTES, XB_TILE_ALIGN);
  if (end > bytes)
    return xb_fail(&c->error, XB_INVALID, by,
                   "%s: the matrix of tiles ends after %" PRIu64 " bytes, the binding has %" PRIu64, what, end, bytes);
  return XB_OK;
}

/* Checks one binding and converts it for the backend and the hazard tracking. */
static xb_code check_binding(xb_commands *c, const char *by, uint32_t i, const xb_binding *b, xb_be_binding *be,
                             xb_touch *touch)
{
  char what[32];
  snprintf(what, sizeof what, "binding %u", i);
  if (b->kind > XB_BINDING_TILES)
    return xb_fail(&c->error, XB_INVALID, by, "%s: kind %d does not exist", what, (int)b->kind);
  if (b->access > XB_DISJOINT_WRITE)
    return xb_fail(&c->error, XB_INVALID, by, "%s: access %d does not exist", what, (int)b->access);
  if (b->kind != XB_BINDING_BUFFER && b->kind != XB_BINDING_STORAGE_TEXELS && b->kind != XB_BINDING_STORAGE_IMAGE &&
      b->access != XB_READ)
    return xb_fail(&c->error, XB_INVALID, by, "%s: %s can only be read", what,
                   b->kind == XB_BINDING_UNIFORM  ? "a uniform buffer"
                   : b->kind == XB_BINDING_TEXELS ? "a texel buffer"
                   : b->kind == XB_BINDING_IMAGE  ? "an image"
                   : b->kind == XB_BINDING_TILES  ? "a matrix of tiles"
                                                  : "a sampler");
  if (b->kind == XB_BINDING_SAMPLER) {
    *be = (xb_be_binding){.kind = b->kind, .sampler = b->sampler};
    *touch = (xb_touch){.by = by};
    return c->device->info.max_image_size[0]
               ? XB_OK
               : xb_fail(&c->error, XB_UNSUPPORTED, by, "%s: %s has no samplers here", what, c->device->info.backend);
  }
  if (b->kind == XB_BINDING_IMAGE || b->kind == XB_BINDING_STORAGE_IMAGE)
    return xb_check_image(c, by, what, b, be, touch);
  const uint64_t size = !b->size && b->buffer && b->offset < b->buffer->bytes ? b->buffer->bytes - b->offset : b->size;
  xb_code code = xb_check_range(c, by, what, b->buffer, b->offset, size, 1);
  if (!code && b->kind == XB_BINDING_TILES)
    code = check_tiles(c, by, what, &b->tiles, size);
  if (code)
    return code;
  *be = (xb_be_binding){.buffer = b->buffer->be,
                        .offset = b->offset,
                        .size = size,
                        .kind = b->kind,
                        .format = b->format,
                        .channels = b->channels ? b->channels : 1,
                        .tiles = b->tiles,
                        .access = b->access};
  *touch = (xb_touch){.object = b->buffer,
                      .label = b->buffer->label,
                      .begin = b->offset,
                      .end = b->offset + size,
                      .access = b->access,
                      .by = by};
  return XB_OK;
}

xb_code xb_check_bindings(xb_commands *c, const char *by, const xb_binding *bindings, uint32_t count, uint32_t more,
                          xb_be_binding *be, xb_touch *touches)
{
  if (count > XB_MAX_BINDINGS)
    return xb_fail(&c->error, XB_INVALID, by, "%u bindings, at most %d are allowed", count, XB_MAX_BINDINGS);
  if (count && !bindings)
    return xb_fail(&c->error, XB_INVALID, by, "%u bindings given, but `bindings` is NULL", count);
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < count && !code; i++)
    code = check_binding(c, by, i, &bindings[i], &be[i], &touches[i]);
  if (!code)
    code = xb_hazards_add(&c->hazards, touches, count + more, &c->error);
  for (uint32_t i = 0; i < count && !code; i++)
    code = bindings[i].kind == XB_BINDING_SAMPLER ? XB_OK
           : be[i].image                          ? xb_retain_image(c, bindings[i].image, false)
                                                  : xb_retain_buffer(c, bindings[i].buffer);
  return code;
}

void xb_cmd_copy(xb_commands *c, xb_buffer *dst, uint64_t dst_offset, xb_buffer *src, uint64_t src_offset,
                 uint64_t bytes)
{
  if (!xb_recording(c, "xb_cmd_copy"))
    return;
  if (xb_check_range(c, "copy", "destination", dst, dst_offset, bytes, XB_WORD) ||
      xb_check_range(c, "copy", "source", src, src_offset, bytes, XB_WORD))
    return;
  const xb_touch touches[] = {
      {.object = src,
       .label = src->label,
       .begin = src_offset,
       .end = src_offset + bytes,
       .access = XB_READ,
       .by = "copy"},
      {.object = dst,
       .label = dst->label,
       .begin = dst_offset,
       .end = dst_offset + bytes,
       .access = XB_WRITE,
       .by = "copy"},
  };
  if (xb_hazards_add(&c->hazards, touches, 2, &c->error) || xb_retain_buffer(c, src) || xb_retain_buffer(c, dst))
    return;
  const xb_be_binding to = {.buffer = dst->be, .offset = dst_offset, .size = bytes};
  const xb_be_binding from = {.buffer = src->be, .offset = src_offset, .size = bytes};
  xb_stick(c, c->device->backend->cmd_copy(c->be, &to, &from, &c->error));
}

void xb_cmd_fill(xb_commands *c, xb_buffer *dst, uint64_t offset, uint64_t bytes, uint32_t word)
{
  if (!xb_recording(c, "xb_cmd_fill"))
    return;
  if (xb_check_range(c, "fill", "destination", dst, offset, bytes, XB_WORD))
    return;
  const xb_touch touch = {
      .object = dst, .label = dst->label, .begin = offset, .end = offset + bytes, .access = XB_WRITE, .by = "fill"};
  if (xb_hazards_add(&c->hazards, &touch, 1, &c->error) || xb_retain_buffer(c, dst))
    return;
  const xb_be_binding to = {.buffer = dst->be, .offset = offset, .size = bytes};
  xb_stick(c, c->device->backend->cmd_fill(c->be, &to, word, &c->error));
}

void xb_cmd_barrier(xb_commands *c)
{
  if (!xb_recording(c, "xb_cmd_barrier"))
    return;
  xb_hazards_barrier(&c->hazards);
  xb_stick(c, c->device->backend->cmd_barrier(c->be, &c->error));
}

void xb_cmd_timestamp(xb_commands *c, uint32_t index)
{
  const char *const where = "xb_cmd_timestamp";
  if (!xb_recording(c, where))
    return;
  if (index >= c->timestamp_count || c->stamped[index]) {
    xb_fail(&c->error, XB_INVALID, where, "timestamp %u of %u %s", index, c->timestamp_count,
            index >= c->timestamp_count ? "does not exist" : "is recorded twice");
    return;
  }
  c->stamped[index] = 1;
  xb_hazards_barrier(&c->hazards);
  xb_stick(c, c->device->backend->cmd_timestamp(c->be, index, &c->error));
}

void xb_cmd_use(xb_commands *c, const xb_binding *buffers, uint32_t count)
{
  const char *const where = "xb_cmd_use";
  xb_touch touches[XB_MAX_BINDINGS];
  if (!xb_recording(c, where))
    return;
  if (count > XB_MAX_BINDINGS - c->use_count) {
    xb_fail(&c->error, XB_INVALID, where, "a dispatch uses at most %d buffers by their addresses", XB_MAX_BINDINGS);
    return;
  }
  for (uint32_t i = 0; buffers && i < count; i++)
    if (buffers[i].kind != XB_BINDING_BUFFER || (buffers[i].buffer && !buffers[i].buffer->addressable)) {
      xb_fail(&c->error, XB_INVALID, where, "buffer %u: expected one that was created as addressable", i);
      return;
    }
  if (!xb_check_bindings(c, where, buffers, count, 0, c->uses + c->use_count, touches))
    c->use_count += count;
}

void xb_cmd_native(xb_commands *c, xb_native_fn fn, void *user, const xb_binding *bindings, uint32_t binding_count)
{
  const char *const where = "xb_cmd_native";
  if (!xb_recording(c, where))
    return;
  if (!fn) {
    xb_fail(&c->error, XB_INVALID, where, "no function given");
    return;
  }
  xb_be_binding be[XB_MAX_BINDINGS];
  xb_touch touches[XB_MAX_BINDINGS];
  if (xb_check_bindings(c, where, bindings, binding_count, 0, be, touches))
    return;
  xb_stick(c, c->device->backend->cmd_native(c->be, fn, user, &c->error));
}

xb_code xb_commands_finish(xb_commands *c, xb_error *err)
{
  const char *const where = "xb_commands_finish";
  if (!c)
    return xb_fail(err, XB_INVALID, where, "no command list given");
  for (uint32_t i = 0; i < c->timestamp_count && !c->error.code && !c->finished; i++)
    if (!c->stamped[i])
      xb_fail(&c->error, XB_INVALID, where, "timestamp %u of %u was not recorded in '%s'", i, c->timestamp_count,
              c->label);
  if (!c->error.code && !c->finished && !xb_device_usable(c->device, where, &c->error)) {
    c->finished = true;
    xb_stick(c, c->device->backend->commands_finish(c->be, &c->error));
  }
  if (!c->error.code)
    return xb_device_usable(c->device, where, err);
  if (err)
    *err = c->error;
  return c->error.code;
}
