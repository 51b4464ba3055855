/* A hash of all words of a cell's outputs, to tell if two APIs gave the same bits; not a protection. */
#ifndef XB_OUTPUT_HASH_H
#define XB_OUTPUT_HASH_H

#include <stdint.h>

typedef struct xb_output_hash {
  uint64_t sum, words;
} xb_output_hash;

/* Adds the next words. A sum, so that no step waits for the multiplication of the step before: it must not slow down
 * the check that reads the same words. Each word is mixed with its position. */
static inline void xb_output_hash_add(xb_output_hash *hash, const uint32_t *words, uint64_t count)
{
  uint64_t sum = hash->sum, key = hash->words * UINT64_C(0x9E3779B97F4A7C15);
  for (uint64_t i = 0; i < count; i++) {
    key += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mixed = (key ^ words[i]) * UINT64_C(0xD6E8FEB86659FD93);
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    sum += mixed ^ mixed >> 32;
  }
  hash->sum = sum;
  hash->words += count;
}

#endif
