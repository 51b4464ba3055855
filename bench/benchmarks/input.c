#include "benchmarks/input.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t xb_mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/* `key` is the mixed seed: with the seed itself, seed 2 would be seed 1 without its first element. */
static uint32_t random_bits(uint64_t key, uint64_t i)
{
  return (uint32_t)(xb_mix(key + (i + 1) * 0x9E3779B97F4A7C15ull) >> 32);
}

static uint64_t key_of(uint64_t seed)
{
  return xb_mix(seed * 0xD1342543DE82EF95ull + 1);
}

void xb_input_strided(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t stride, uint64_t count, void *out)
{
  const uint64_t key = key_of(seed);
  if (dtype == XB_INT32) {
    uint32_t *words = out;
    for (uint64_t i = 0; i < count; i++)
      words[i] = random_bits(key, first + i * stride);
    return;
  }
  float *floats = out;
  for (uint64_t i = 0; i < count; i++)
    floats[i] = (float)((int32_t)(random_bits(key, first + i * stride) >> 8) - (1 << 23)) * 0x1p-23f;
}

void xb_input(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  xb_input_strided(dtype, seed, first, 1, count, out);
}

/* Denormals, zeros, infinities and NaNs, quiet and signalling, of both signs. */
static uint32_t special_float(uint32_t bits)
{
  static const uint32_t specials[] = {0x00000001, 0x807FFFFF, 0x00400000, 0x80000000, 0x7F800000,
                                      0xFF800000, 0x7FC00001, 0xFFC12345, 0x7F800001, 0xFFBFFFFF};
  return specials[bits % (sizeof specials / sizeof *specials)];
}

void xb_bits_strided(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t stride, uint64_t count, void *out)
{
  const uint64_t key = key_of(seed);
  uint32_t *words = out;
  for (uint64_t i = 0; i < count; i++) {
    const uint32_t bits = random_bits(key, first + i * stride);
    words[i] = dtype == XB_FLOAT32 && bits % 64 == 0 ? special_float(bits >> 6) : bits;
  }
}

void xb_bits(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  xb_bits_strided(dtype, seed, first, 1, count, out);
}

uint32_t xb_new_number(void)
{
  static uint32_t count;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  const uint64_t us = (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
  return ((uint32_t)us + 0x9E3779B9u * ++count) | 0x80000000u;
}

xb_affine xb_affine_steps(xb_affine step, uint64_t count)
{
  xb_affine all = {1, 0};
  for (; count; count >>= 1) { /* by squaring */
    if (count & 1)
      all = (xb_affine){all.factor * step.factor, all.term * step.factor + step.term};
    step = (xb_affine){step.factor * step.factor, step.term * step.factor + step.term};
  }
  return all;
}

void xb_repeat(const uint32_t *words, uint64_t length, uint64_t first, uint64_t count, uint32_t *expected)
{
  for (uint64_t i = 0; i < count && words; i++)
    expected[i] = words[(first + i) % length];
}

bool xb_wrong(char why[XB_WHY_BYTES], const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(why, XB_WHY_BYTES, format, args);
  va_end(args);
  return false;
}

bool xb_words_match(const xb_chunk *chunk, xb_expect_fn *expect, const void *user, uint64_t *element, char why[64])
{
  uint32_t expected[XB_MOST_EXPECTED];
  const uint32_t *got = chunk->data;
  for (xb_slice s = {0}; xb_next_slice(&s, chunk->count, XB_MOST_EXPECTED);) {
    uint64_t i = 0;
    for (uint64_t k = 0; k < s.count; k++) /* what it does not write is wrong */
      expected[k] = ~got[s.first + k];
    expect(user, chunk->first + s.first, s.count, expected);
    if (!memcmp(got + s.first, expected, s.count * sizeof *got))
      continue;
    while (got[s.first + i] == expected[i])
      i++;
    *element = chunk->first + s.first + i;
    snprintf(why, 64, "has the bits 0x%08" PRIx32 ", expected 0x%08" PRIx32, got[s.first + i], expected[i]);
    return false;
  }
  return true;
}

bool xb_check_words(const xb_chunk *chunk, xb_expect_fn *expect, const void *user, const char *name,
                    char why[XB_WHY_BYTES])
{
  uint64_t word;
  char bits[64];
  return xb_words_match(chunk, expect, user, &word, bits) || xb_wrong(why, "%s %" PRIu64 " %s", name, word, bits);
}

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const xb_case *c = user;
  c->variant->benchmark->methods->expect(c, first, count, expected);
}

bool xb_has_check(const xb_methods *methods)
{
  return methods->check || methods->expect;
}

bool xb_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const xb_methods *methods = c->variant->benchmark->methods;
  char bits[64], name[XB_NAME_BYTES];
  uint64_t element;
  if (!methods->expect)
    return !methods->check || methods->check(c, chunk, why);
  if (xb_words_match(chunk, expect, c, &element, bits))
    return true;
  if (methods->name)
    methods->name(c, chunk, element, name);
  else
    snprintf(name, sizeof name, "%s %" PRIu64, methods->word, element);
  return xb_wrong(why, "%s %s", name, bits);
}

/* ---- What checks cache ------------------------------------------------------------------------------------------ */

typedef struct cached {
  struct cached *next; /* used before */
  xb_make_fn *make;
  xb_key key;
  max_align_t value[];
} cached;

static cached *all_cached;

/* Frees the values of a maker behind the first `most`; NULL: all values. */
static void forget(xb_make_fn *make, uint32_t most)
{
  for (cached **at = &all_cached; *at;) {
    cached *k = *at;
    if (make && (k->make != make || most)) {
      most -= k->make == make;
      at = &k->next;
      continue;
    }
    *at = k->next;
    free(k);
  }
}

void *xb_cached(const xb_case *c, xb_make_fn *make, size_t bytes, uint32_t most, xb_key key)
{
  for (cached **at = &all_cached; *at; at = &(*at)->next) {
    cached *found = *at;
    if (found->make != make || memcmp(&found->key, &key, sizeof key) != 0)
      continue;
    *at = found->next; /* to the front */
    found->next = all_cached;
    all_cached = found;
    return found->value;
  }
  forget(make, most - 1);
  cached *k = calloc(1, sizeof *k + bytes);
  if (!k || !make(c, k->value)) {
    free(k);
    return NULL;
  }
  *k = (cached){.next = all_cached, .make = make, .key = key};
  all_cached = k;
  return k->value;
}

void xb_cached_free(void)
{
  forget(NULL, 0);
}
