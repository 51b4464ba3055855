/* Placements hold the same bytes several times, each elsewhere in device memory. The position of its buffers changes
 * the time of a kernel: on an H200 by up to 17 % if it is short (docs/internals/method.md, Placements). */
#ifndef XB_PLACEMENT_H
#define XB_PLACEMENT_H

#include "result/result.h"
#include "xb/gpu.h"

/* A placement has a guard of this many bytes before and after its contents; a multiple of any binding_align and
 * texel_align.
 */
enum { XB_GUARD_BYTES = 512 };

enum {
  XB_MAX_PLACEMENTS = XB_MOST_PLACEMENTS,
  XB_FEWEST_PLACEMENTS = 4 /* with fewer, differences say nothing */,
  XB_GPU_PLACEMENTS = 8,
  XB_CPU_PLACEMENTS = 1
};

typedef struct xb_placement {
  xb_buffer *buffer; /* its own */
  uint64_t begin;    /* offset of the contents in the buffer, just after the first guard */
  void *pages;       /* that the buffer imports; NULL: it has memory of its own */
} xb_placement;

/* The number of placements: `asked` or, if that is 0, the default of the device type. */
uint32_t xb_placements_wanted(const xb_device_info *info, uint32_t asked);
/* The most memory that one placement of this size needs. */
uint64_t xb_placement_bytes(uint64_t bytes);
/* Returns `count`, or 1 if that is less than XB_FEWEST_PLACEMENTS. */
uint32_t xb_distinct_placements(uint64_t count);
/* A state of xb_random for the placements of `what` on this device, in its launch mode. */
uint64_t xb_placement_stream(uint64_t seed, const xb_device_info *info, const char *what);
/* Creates `count` placements, 1 or more, for desc->bytes each. Several are in different pages, with memory of random
 * size between them, and begin at a random offset; the first one at the start of its buffer. `random` may be NULL for
 * one placement. On failure no placement exists. */
xb_code xb_placements_create(xb_device *device, const xb_buffer_desc *desc, uint32_t count, uint64_t *random,
                             xb_placement *placements, xb_error *err);
/* Also accepts zeroed placements. */
void xb_placements_destroy(xb_placement *placements, uint32_t count);

#endif
