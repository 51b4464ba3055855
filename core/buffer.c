#define _GNU_SOURCE /* os/imports.h */
#include "internal.h"
#include "os/imports.h"

#include <inttypes.h>
#include <stdlib.h>

/* True if another buffer of the device imports a byte of the range. */
static bool is_imported(const xb_device *device, const char *begin, uint64_t bytes)
{
  for (const xb_buffer *b = device->imported; b; b = b->next_imported)
    if (begin < (const char *)b->host + b->bytes && (const char *)b->host < begin + bytes)
      return true;
  return false;
}

static xb_code check_import(const xb_device *device, const xb_buffer_desc *desc, const char *where, xb_error *err)
{
  const uint64_t align = device->info.import_align;
  if (desc->mem != XB_MEM_IMPORTED)
    return desc->host ? xb_fail(err, XB_INVALID, where, "host memory is given, but the kind is not XB_MEM_IMPORTED")
                      : XB_OK;
  if (!align)
    return xb_fail(err, XB_UNSUPPORTED, where, "'%s' cannot import host memory", device->info.name);
  if (!desc->host || (uintptr_t)desc->host % align || desc->bytes % align)
    return xb_fail(err, XB_INVALID, where,
                   "%" PRIu64 " bytes at %p cannot be imported: address and size must be multiples of %" PRIu64
                   " bytes (xb_device_info.import_align)",
                   desc->bytes, desc->host, align);
  if (!xb_pages_are_mapped(desc->host, desc->bytes))
    return xb_fail(err, XB_INVALID, where, "%" PRIu64 " bytes at %p are not all memory of this process", desc->bytes,
                   desc->host);
  if (!xb_pages_are_open(desc->host, desc->bytes))
    return xb_fail(err, XB_INVALID, where,
                   "%" PRIu64 " bytes at %p are not all readable and writable: import memory with both rights",
                   desc->bytes, desc->host);
  if (is_imported(device, desc->host, desc->bytes))
    return xb_fail(err, XB_INVALID, where,
                   "another buffer already imports a part of the %" PRIu64
                   " bytes at %p: use that buffer, or destroy it first",
                   desc->bytes, desc->host);
  return XB_OK;
}

static xb_code check_shared(const xb_device *device, const xb_buffer_desc *desc, const char *where, xb_error *err)
{
  if (desc->exportable && desc->mem != XB_MEM_DEVICE)
    return xb_fail(err, XB_INVALID, where, "only XB_MEM_DEVICE memory is exportable");
  if (desc->exportable && !device->info.exports)
    return xb_fail(err, XB_UNSUPPORTED, where, "'%s' cannot export memory through %s", device->info.name,
                   device->info.backend);
  if (desc->mem != XB_MEM_SHARED)
    return XB_OK;
  if (!device->info.imports)
    return xb_fail(err, XB_UNSUPPORTED, where, "'%s' cannot import memory of other devices through %s",
                   device->info.name, device->info.backend);
  if (desc->shared.fd < 0 || desc->shared.bytes < desc->bytes)
    return xb_fail(err, XB_INVALID, where,
                   "shared memory of %" PRIu64 " bytes, file descriptor %d, is too small for %" PRIu64
                   " bytes: pass the result of xb_buffer_export",
                   desc->shared.bytes, desc->shared.fd, desc->bytes);
  if (!device->info.imports_peers && memcmp(desc->shared.uuid, device->info.uuid, XB_UUID_BYTES) != 0)
    return xb_fail(err, XB_UNSUPPORTED, where, "through %s a device does not see the memory of another GPU",
                   device->info.backend);
  const char *refused = xb_plain_descriptor(desc->shared.fd, desc->shared.bytes);
  if (refused)
    return xb_fail(err, XB_INVALID, where, "file descriptor %d %s: pass the result of xb_buffer_export",
                   desc->shared.fd, refused);
  return XB_OK;
}

static xb_code check_addressable(const xb_device *device, const xb_buffer_desc *desc, const char *where, xb_error *err)
{
  if (!desc->addressable)
    return XB_OK;
  if (desc->mem == XB_MEM_IMPORTED || desc->mem == XB_MEM_SHARED)
    return xb_fail(err, XB_INVALID, where, "memory that is imported or shared is not addressable");
  return device->info.addresses
             ? XB_OK
             : xb_fail(err, XB_UNSUPPORTED, where, "'%s' does not support buffer addresses through %s",
                       device->info.name, device->info.backend);
}

xb_code xb_buffer_create(xb_device *device, const xb_buffer_desc *desc, xb_buffer **buffer, xb_error *err)
{
  const char *const where = "xb_buffer_create";
  if (!device || !desc || !buffer)
    return xb_fail(err, XB_INVALID, where, "the device, the description or the result pointer is NULL");
  *buffer = NULL;
  xb_code code = xb_device_usable(device, where, err);
  if (code)
    return code;
  if (desc->mem >= XB_MEM_KINDS)
    return xb_fail(err, XB_INVALID, where, "memory kind %d does not exist", (int)desc->mem);
  if (!desc->bytes || desc->bytes % 4)
    return xb_fail(err, XB_INVALID, where, "%" PRIu64 " bytes: a buffer's size must be a positive multiple of 4 bytes",
                   desc->bytes);
  if (device->info.max_buffer_bytes && desc->bytes > device->info.max_buffer_bytes)
    return xb_fail(err, XB_NOMEM, where, "%" PRIu64 " bytes requested, the device's largest buffer has %" PRIu64,
                   desc->bytes, device->info.max_buffer_bytes);
  code = check_import(device, desc, where, err);
  code = code ? code : check_shared(device, desc, where, err);
  code = code ? code : check_addressable(device, desc, where, err);
  if (code)
    return code;

  xb_buffer *b = calloc(1, sizeof *b);
  if (!b)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  xb_label_copy(b->label, desc->label, "buffer");
  code = device->backend->buffer_create(device->be, desc, &b->be, &b->host, err);
  if (code) {
    free(b);
    return xb_device_result(device, code);
  }
  b->device = device;
  b->bytes = desc->bytes;
  b->mem = desc->mem;
  b->exportable = desc->exportable;
  b->addressable = desc->addressable;
  b->refs = 1;
  device->alive++;
  if (desc->mem == XB_MEM_IMPORTED) {
    b->host = desc->host;
    b->next_imported = device->imported;
    device->imported = b;
  }
  *buffer = b;
  return XB_OK;
}

void xb_buffer_release(xb_buffer *buffer)
{
  if (--buffer->refs)
    return;
  for (xb_buffer **b = &buffer->device->imported; *b; b = &(*b)->next_imported)
    if (*b == buffer) {
      *b = buffer->next_imported;
      break;
    }
  buffer->device->backend->buffer_destroy(buffer->device->be, buffer->be);
  free(buffer);
}

void xb_buffer_destroy(xb_buffer *buffer)
{
  if (!buffer || xb_device_is_foreign(buffer->device))
    return;
  buffer->device->alive--;
  xb_buffer_release(buffer);
}

void *xb_buffer_host(const xb_buffer *buffer)
{
  return buffer ? buffer->host : NULL;
}

uint64_t xb_buffer_bytes(const xb_buffer *buffer)
{
  return buffer ? buffer->bytes : 0;
}

uint64_t xb_buffer_native(const xb_buffer *buffer)
{
  return buffer ? buffer->device->backend->buffer_native(buffer->be) : 0;
}

uint64_t xb_buffer_address(const xb_buffer *buffer)
{
  return buffer && buffer->addressable ? buffer->device->backend->buffer_address(buffer->be) : 0;
}

xb_code xb_buffer_export(xb_buffer *buffer, xb_shared *shared, xb_error *err)
{
  const char *const where = "xb_buffer_export";
  if (!buffer || !shared)
    return xb_fail(err, XB_INVALID, where, "the buffer or the result pointer is NULL");
  *shared = (xb_shared){.fd = -1};
  const xb_code code = xb_device_usable(buffer->device, where, err);
  if (code)
    return code;
  if (!buffer->exportable)
    return xb_fail(err, XB_INVALID, where, "'%s' was not created as exportable", buffer->label);
  memcpy(shared->uuid, buffer->device->info.uuid, XB_UUID_BYTES);
  return xb_device_result(buffer->device,
                          buffer->device->backend->buffer_export(buffer->device->be, buffer->be, shared, err));
}
