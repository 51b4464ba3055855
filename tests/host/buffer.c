#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

xb_code host_buffer_create(xb_be_device *device, const xb_buffer_desc *desc, xb_be_buffer **buffer, void **host,
                           xb_error *err)
{
  const char *const where = "buffer_create";
  const xb_code code = host_call(device, where, err);
  if (code)
    return code;
  host_promise(desc->bytes && desc->bytes % 4 == 0 && desc->bytes <= HOST_MAX_BUFFER, where, "bytes out of range");
  if (desc->mem > XB_MEM_READBACK && device->info.index)
    return xb_fail(err, XB_UNSUPPORTED, where, "memory kind %d", (int)desc->mem);
  const uint64_t left = HOST_MEMORY - host_counters.device_bytes;
  if (desc->mem == XB_MEM_DEVICE && desc->bytes > left)
    return xb_fail(err, XB_NOMEM, where, "%" PRIu64 " bytes asked, %" PRIu64 " are free", desc->bytes, left);

  xb_be_buffer *b = calloc(1, sizeof *b);
  uint8_t *data = desc->host ? desc->host : malloc(desc->bytes);
  const bool apart = desc->mem == XB_MEM_UPLOAD || desc->mem == XB_MEM_READBACK; /* incoherent */
  uint8_t *mapped = apart ? malloc(desc->bytes) : NULL;
  if (!b || !data || (apart && !mapped)) {
    free(b);
    free(desc->host ? NULL : data);
    free(mapped);
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  }
  if (!desc->host)
    memset(data, HOST_POISON, desc->bytes);
  if (mapped)
    memset(mapped, HOST_POISON, desc->bytes);
  *b = (xb_be_buffer){.device = device, .mem = desc->mem, .bytes = desc->bytes, .data = data, .mapped = mapped};
  *buffer = b;
  *host = mapped ? mapped : desc->mem == XB_MEM_DEVICE ? NULL : data;
  host_counters.buffers++;
  host_counters.device_bytes += desc->mem == XB_MEM_DEVICE ? desc->bytes : 0;
  return XB_OK;
}

void host_buffer_destroy(xb_be_device *device, xb_be_buffer *b)
{
  host_free_call(device, "buffer_destroy");
  if (!host_promise(!host_buffer_in_flight(b), "buffer_destroy", "the buffer is in flight"))
    return; /* the work would use freed memory */
  host_counters.buffers--;
  host_counters.device_bytes -= b->mem == XB_MEM_DEVICE ? b->bytes : 0;
  free(b->mem == XB_MEM_IMPORTED ? NULL : b->data);
  free(b->mapped);
  free(b);
}

xb_code host_buffer_flush(xb_be_device *device, xb_be_buffer *b, xb_error *err)
{
  const xb_code code = host_call(device, "buffer_flush", err);
  if (!code && host_promise(b->mem == XB_MEM_UPLOAD, "buffer_flush", "not an upload buffer"))
    memcpy(b->data, b->mapped, b->bytes);
  return code;
}

xb_code host_buffer_invalidate(xb_be_device *device, xb_be_buffer *b, xb_error *err)
{
  const xb_code code = host_call(device, "buffer_invalidate", err);
  if (!code && host_promise(b->mem == XB_MEM_READBACK, "buffer_invalidate", "not a readback buffer"))
    memcpy(b->mapped, b->data, b->bytes);
  return code;
}

uint64_t host_buffer_native(xb_be_buffer *b)
{
  return (uint64_t)(uintptr_t)b->data;
}
