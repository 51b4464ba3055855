/* The seeded generators of all inputs. Element i depends on the seed and i only, so any part can be generated, again
 * and anywhere. Different seeds give independent elements. */
#ifndef XB_INPUT_H
#define XB_INPUT_H

#include "benchmarks/benchmark.h"

/* splitmix64's finaliser (Steele, Lea, Flood 2014). */
uint64_t xb_mix(uint64_t z);

/* For arithmetic. float32: uniform in [-1, 1), 24 bits; int32: all 32 bits. */
void xb_input(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out);
/* Generates the elements first, first + stride, ...: a column of a matrix. */
void xb_input_strided(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t stride, uint64_t count, void *out);

/* For kernels that only move data. All 32 bits; of float32, one element of 64 is a denormal, -0, infinite or a NaN. */
void xb_bits(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out);
void xb_bits_strided(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t stride, uint64_t count, void *out);

/* A number that differs between calls, and between processes that start in different microseconds; larger than any
 * thread index. */
uint32_t xb_new_number(void);

/* x * factor + term, and what `count` such steps are together. */
typedef struct xb_affine {
  uint32_t factor, term;
} xb_affine;
xb_affine xb_affine_steps(xb_affine step, uint64_t count);

/* For outputs that repeat `length` words; NULL: they could not be made. */
void xb_repeat(const uint32_t *words, uint64_t length, uint64_t first, uint64_t count, uint32_t *expected);

/* True if the chunk has these words. Otherwise `element` is the first that differs, and `why` continues a sentence that
 * begins with its name: "... has the bits 0x00000001, expected 0x00000002". */
bool xb_words_match(const xb_chunk *chunk, xb_expect_fn *expect, const void *user, uint64_t *element, char why[64]);
/* The same; `why` begins with `name`, of a word, and its number: "element 7 has the bits ...". */
bool xb_check_words(const xb_chunk *chunk, xb_expect_fn *expect, const void *user, const char *name,
                    char why[XB_WHY_BYTES]);

#endif
