/* Growing arrays, for core, the backends and the program. */
#ifndef XB_GROW_H
#define XB_GROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one more item behind `count` of them. `items` is the address of the pointer to them. False: out of
 * host memory; the array is as it was. */
static inline bool xb_grow(void *items, size_t *capacity, size_t count, size_t item_bytes)
{
  if (count < *capacity)
    return true;
  if (*capacity > SIZE_MAX / 2 / item_bytes)
    return false;
  const size_t more = *capacity ? 2 * *capacity : 8;
  void *grown;
  memcpy(&grown, items, sizeof grown); /* no pointer type aliases all others */
  grown = realloc(grown, more * item_bytes);
  if (!grown)
    return false;
  memcpy(items, &grown, sizeof grown);
  *capacity = more;
  return true;
}

#endif
