#include "measure/place.h"

#include <string.h>

enum { GAP = 64 << 10, ALIGNMENT = 256 };
/* Places that take less than this together lie in one buffer: each allocation costs the driver's time. Larger ones have
 * one each, so that they lie in other pages, too. */
static const uint64_t TOGETHER_BYTES = 64ull << 20;

uint32_t xb_placements_wanted(const xb_device_info *info, uint32_t asked)
{
  if (asked)
    return asked;
  return info->type == XB_DEVICE_CPU ? XB_CPU_PLACEMENTS : XB_GPU_PLACEMENTS;
}

static uint64_t padded(uint64_t bytes)
{
  return (bytes + 2 * XB_GUARD_BYTES + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t xb_place_bytes(uint64_t bytes)
{
  return padded(bytes) + GAP;
}

uint32_t xb_placements_that_tell(uint64_t count)
{
  return count >= XB_FEWEST_PLACEMENTS ? (uint32_t)count : 1;
}

static uint64_t gap(uint64_t *random)
{
  return xb_random(random) % (GAP / ALIGNMENT) * ALIGNMENT;
}

/* One after the other, with gaps of random length between. */
static xb_code place_together(xb_device *device, xb_buffer_desc desc, uint32_t count, uint64_t *random,
                              xb_place *places, xb_error *err)
{
  const uint64_t each = padded(desc.bytes);
  uint64_t at = 0;
  xb_buffer *buffer;
  for (uint32_t p = 0; p < count; p++) {
    places[p].begin = at + XB_GUARD_BYTES;
    desc.bytes = at + each;
    at += each + gap(random);
  }
  const xb_code code = xb_buffer_create(device, &desc, &buffer, err);
  for (uint32_t p = 0; p < count && !code; p++)
    places[p].buffer = buffer;
  return code;
}

static xb_code place_apart(xb_device *device, xb_buffer_desc desc, uint32_t count, uint64_t *random, xb_place *places,
                           xb_error *err)
{
  const uint64_t each = padded(desc.bytes);
  xb_code code = XB_OK;
  for (uint32_t p = 0; p < count && !code; p++) {
    const uint64_t before = p ? gap(random) : 0;
    desc.bytes = before + each;
    places[p].begin = before + XB_GUARD_BYTES;
    code = xb_buffer_create(device, &desc, &places[p].buffer, err);
  }
  return code;
}

xb_code xb_places_create(xb_device *device, const xb_buffer_desc *desc, uint32_t count, uint64_t *random,
                         xb_place *places, xb_error *err)
{
  memset(places, 0, count * sizeof *places);
  const bool together = count * xb_place_bytes(desc->bytes) <= TOGETHER_BYTES;
  const xb_code code = (together ? place_together : place_apart)(device, *desc, count, random, places, err);
  if (code)
    xb_places_destroy(places, count);
  return code;
}

void xb_places_destroy(xb_place *places, uint32_t count)
{
  for (uint32_t p = count; p-- > 0;)
    if (!p || places[p].buffer != places[p - 1].buffer)
      xb_buffer_destroy(places[p].buffer);
  memset(places, 0, count * sizeof *places);
}
