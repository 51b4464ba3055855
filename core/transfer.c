/* Copies of pageable memory. A backend that has none is given copies from and to pinned memory: two parts take turns,
 * so that the host fills or empties one while the device copies the other. */
#include "internal.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t PART_BYTES = 4ull << 20;
static const uint64_t LIMIT_NS = 10ull * 1000 * 1000 * 1000;

typedef struct range {
  xb_device *device;
  xb_buffer *buffer;
  uint64_t offset, bytes;
  bool up;
} range;

static bool in_flight(const xb_device *device, const xb_buffer *buffer)
{
  for (size_t i = 0; i < device->pending_count; i++)
    for (size_t k = 0; k < device->pending[i].commands->buffer_count; k++)
      if (device->pending[i].commands->buffers[k] == buffer)
        return true;
  return false;
}

static xb_code check(const char *where, const xb_buffer *b, uint64_t offset, const void *data, uint64_t bytes,
                     xb_error *err)
{
  if (!b || !data)
    return xb_fail(err, XB_INVALID, where, "no buffer or no memory given");
  xb_code code = xb_device_usable(b->device, where, err);
  code = code ? code : xb_device_collect(b->device, err);
  if (code)
    return code;
  if (b->host)
    return xb_fail(err, XB_INVALID, where, "the host sees '%s': read and write it through xb_buffer_host", b->label);
  if (!bytes || bytes % XB_WORD || offset % XB_WORD || offset > b->bytes || bytes > b->bytes - offset)
    return xb_fail(err, XB_INVALID, where,
                   "%" PRIu64 " bytes at %" PRIu64 " of '%s', which has %" PRIu64
                   ": both must be multiples of 4, and inside the buffer",
                   bytes, offset, b->label, b->bytes);
  if (in_flight(b->device, b))
    return xb_fail(err, XB_INVALID, where, "work in flight uses '%s': wait for it first (xb_wait)", b->label);
  return XB_OK;
}

/* They are core's own, so they do not keep a device from being closed. */
static xb_code make_staging(xb_device *device, bool up, uint64_t parts, xb_error *err)
{
  const xb_buffer_desc desc = {.label = "staging", .mem = up ? XB_MEM_UPLOAD : XB_MEM_READBACK, .bytes = PART_BYTES};
  xb_code code = XB_OK;
  for (uint64_t p = 0; p < XB_STAGING_PARTS && p < parts && !code; p++) {
    if (device->staging[up][p])
      continue;
    code = xb_buffer_create(device, &desc, &device->staging[up][p], err);
    device->alive -= !code;
  }
  return code;
}

void xb_staging_release(xb_device *device)
{
  for (int i = 0; i < 2 * XB_STAGING_PARTS; i++)
    if (device->staging[i / XB_STAGING_PARTS][i % XB_STAGING_PARTS])
      xb_buffer_release(device->staging[i / XB_STAGING_PARTS][i % XB_STAGING_PARTS]);
}

static uint64_t part_bytes(const range *r, uint64_t part)
{
  const uint64_t left = r->bytes - part * PART_BYTES;
  return left < PART_BYTES ? left : PART_BYTES;
}

static xb_code copy_part(const range *r, uint64_t part, xb_point *done, xb_error *err)
{
  xb_buffer *staging = r->device->staging[r->up][part % XB_STAGING_PARTS];
  const uint64_t at = r->offset + part * PART_BYTES, bytes = part_bytes(r, part);
  xb_commands *commands;
  xb_code code = xb_commands_create(r->device, &(xb_commands_desc){.label = "staged copy"}, &commands, err);
  if (code)
    return code;
  xb_cmd_copy(commands, r->up ? r->buffer : staging, r->up ? at : 0, r->up ? staging : r->buffer, r->up ? 0 : at,
              bytes);
  code = xb_submit(r->device, &(xb_submission){.commands = commands}, done, err);
  xb_commands_destroy(commands);
  return code;
}

/* Wait for both parts even after a failure: the next copy uses them again. */
static xb_code settle(xb_device *device, const xb_point *done, xb_code code, xb_error *err)
{
  for (int p = 0; p < XB_STAGING_PARTS; p++) {
    const xb_code waited = xb_wait(device, done[p], LIMIT_NS, code ? NULL : err);
    code = code ? code : waited;
  }
  return code;
}

/* Through pinned memory: while the device copies one part, the host copies the next. */
static xb_code staged_upload(const range *r, const char *data, xb_error *err)
{
  const uint64_t count = (r->bytes + PART_BYTES - 1) / PART_BYTES;
  xb_point done[XB_STAGING_PARTS] = {0};
  xb_code code = make_staging(r->device, true, count, err);
  for (uint64_t part = 0; part < count && !code; part++) {
    xb_point *point = &done[part % XB_STAGING_PARTS];
    code = xb_wait(r->device, *point, LIMIT_NS, err);
    if (code)
      break;
    memcpy(r->device->staging[1][part % XB_STAGING_PARTS]->host, data + part * PART_BYTES, part_bytes(r, part));
    code = copy_part(r, part, point, err);
  }
  return settle(r->device, done, code, err);
}

/* The same: while the device copies one part, the host copies the one before. */
static xb_code staged_download(const range *r, char *data, xb_error *err)
{
  const uint64_t count = (r->bytes + PART_BYTES - 1) / PART_BYTES;
  xb_point done[XB_STAGING_PARTS] = {0};
  xb_code code = make_staging(r->device, false, count, err);
  for (uint64_t part = 0; part <= count && !code; part++) {
    if (part < count)
      code = copy_part(r, part, &done[part % XB_STAGING_PARTS], err);
    if (code || !part)
      continue;
    const uint64_t before = part - 1;
    code = xb_wait(r->device, done[before % XB_STAGING_PARTS], LIMIT_NS, err);
    if (!code)
      memcpy(data + before * PART_BYTES, r->device->staging[0][before % XB_STAGING_PARTS]->host, part_bytes(r, before));
  }
  return settle(r->device, done, code, err);
}

xb_code xb_upload(xb_buffer *buffer, uint64_t offset, const void *data, uint64_t bytes, xb_error *err)
{
  const xb_code code = check("xb_upload", buffer, offset, data, bytes, err);
  if (code)
    return code;
  xb_device *d = buffer->device;
  const xb_be_binding to = {.buffer = buffer->be, .offset = offset, .size = bytes};
  if (d->backend->upload)
    return xb_device_result(d, d->backend->upload(d->be, &to, data, err));
  return staged_upload(&(range){.device = d, .buffer = buffer, .offset = offset, .bytes = bytes, .up = true}, data,
                       err);
}

xb_code xb_download(xb_buffer *buffer, uint64_t offset, void *data, uint64_t bytes, xb_error *err)
{
  const xb_code code = check("xb_download", buffer, offset, data, bytes, err);
  if (code)
    return code;
  xb_device *d = buffer->device;
  const xb_be_binding from = {.buffer = buffer->be, .offset = offset, .size = bytes};
  if (d->backend->download)
    return xb_device_result(d, d->backend->download(d->be, data, &from, err));
  return staged_download(&(range){.device = d, .buffer = buffer, .offset = offset, .bytes = bytes}, data, err);
}
