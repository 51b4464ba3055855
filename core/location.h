/* Where the code has the bindings of a description. */
#ifndef XB_CORE_LOCATION_H
#define XB_CORE_LOCATION_H

#include "xb/gpu.h"

static inline xb_location xb_location_of(const xb_kernel_desc *desc, uint32_t i)
{
  return desc->locations ? desc->locations[i] : (xb_location){.binding = i};
}

/* The description's binding at this location; desc->binding_count: it has none. */
uint32_t xb_binding_at(const xb_kernel_desc *desc, xb_location at);

/* The binding of a buffer of the code, or those of an array of `count` buffers (0: as many as are described). Writes
 * the first one, and how many there are. XB_INVALID if the description has none there, or another number. */
xb_code xb_find_bindings(const char *where, const xb_kernel_desc *desc, xb_location at, uint32_t *count,
                         uint32_t *binding, xb_error *err);

#endif
