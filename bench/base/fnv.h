/* FNV-1a, 64 bits: tells texts and code apart; not a protection. */
#ifndef XB_FNV_H
#define XB_FNV_H

#include <stddef.h>
#include <stdint.h>

#define XB_FNV_START UINT64_C(0xCBF29CE484222325)

static inline uint64_t xb_fnv1a(uint64_t hash, const void *data, size_t bytes)
{
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ p[i]) * UINT64_C(0x100000001B3);
  return hash;
}

#endif
