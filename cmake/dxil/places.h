/* The build's part of a DXIL container, PRIV: a record for each register that the code uses. DXIL itself does not have
 * the bindings of [[vk::binding]], and the sizes of constant buffers only inside its bitcode. */
#ifndef XB_DXIL_PLACES_H
#define XB_DXIL_PLACES_H

#include <stdint.h>

typedef struct dxil_place {
  uint32_t class; /* 0: constants, 1: read only, 2: read and write; b, t and u in HLSL */
  uint32_t space, number;
  uint32_t set, binding; /* without [[vk::binding]]: space and number */
  uint32_t bytes;        /* of constants */
} dxil_place;

#endif
