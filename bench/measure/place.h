/* Places: the same bytes several times, each somewhere else on the device. Where buffers lie moves the time of what
 * uses them: on an H200 by up to 17 % where it is short (docs/measuring.md, Placements). */
#ifndef XB_PLACE_H
#define XB_PLACE_H

#include "result/result.h"
#include "xb/gpu.h"

/* What a place holds lies between two guards of so many bytes; a multiple of any binding_align. */
enum { XB_GUARD_BYTES = 256 };

enum {
  XB_MAX_PLACEMENTS = XB_MOST_PLACEMENTS,
  XB_FEWEST_PLACEMENTS = 4 /* to tell anything from */,
  XB_GPU_PLACEMENTS = 8,
  XB_CPU_PLACEMENTS = 1
};

typedef struct xb_place {
  xb_buffer *buffer; /* small places share one */
  uint64_t begin;    /* bytes from its start to the contents, which follow the first guard */
} xb_place;

/* How many there are to be where `asked` is 0: by the kind of device. */
uint32_t xb_placements_wanted(const xb_device_info *info, uint32_t asked);
/* Bytes that one place of so many bytes takes at most. */
uint64_t xb_place_bytes(uint64_t bytes);
/* `count`, but 1 where that is too few to tell anything from. */
uint32_t xb_placements_that_tell(uint64_t count);
/* A state of xb_random for the places of this on this device, launched this way. */
uint64_t xb_place_stream(uint64_t seed, const xb_device_info *info, const char *what);
/* Makes `count` places, 1 or more, for desc->bytes each, at random distances; the first one at the very start of its
 * buffer. `random` may be NULL for one place. On failure there are none. */
xb_code xb_places_create(xb_device *device, const xb_buffer_desc *desc, uint32_t count, uint64_t *random,
                         xb_place *places, xb_error *err);
/* Takes what was never made, too. */
void xb_places_destroy(xb_place *places, uint32_t count);

#endif
