#include "benchmarks/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* splitmix64's finaliser (Steele, Lea, Flood 2014). */
static uint32_t random_bits(uint64_t seed, uint64_t i)
{
  uint64_t z = (seed + i + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return (uint32_t)(z >> 32);
}

void xb_input_strided(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t stride, uint64_t count, void *out)
{
  if (dtype == XB_INT32) {
    uint32_t *words = out;
    for (uint64_t i = 0; i < count; i++)
      words[i] = random_bits(seed, first + i * stride);
    return;
  }
  float *floats = out;
  for (uint64_t i = 0; i < count; i++)
    floats[i] = (float)((int32_t)(random_bits(seed, first + i * stride) >> 8) - (1 << 23)) * 0x1p-23f;
}

void xb_input(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  xb_input_strided(dtype, seed, first, 1, count, out);
}

bool xb_words_match(const xb_chunk *chunk, xb_expect_fn *expect, const void *user, uint64_t *element, char why[64])
{
  enum { AT_ONCE = 4096 };
  uint32_t expected[AT_ONCE];
  const uint32_t *got = chunk->data;
  for (uint64_t done = 0; done < chunk->count; done += AT_ONCE) {
    const uint64_t some = chunk->count - done < AT_ONCE ? chunk->count - done : AT_ONCE;
    uint64_t i = 0;
    expect(user, chunk->first + done, some, expected);
    if (!memcmp(got + done, expected, some * sizeof *got))
      continue;
    while (got[done + i] == expected[i])
      i++;
    *element = chunk->first + done + i;
    snprintf(why, 64, "has the bits 0x%08" PRIx32 ", expected 0x%08" PRIx32, got[done + i], expected[i]);
    return false;
  }
  return true;
}
