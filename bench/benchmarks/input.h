/* The seeded generator of all inputs: element i is a function of the seed and i alone, so any part of an input can be
 * made, or made again, anywhere. float32: uniform in [-1, 1), 24 bits; int32: all 32 bits. */
#ifndef XB_INPUT_H
#define XB_INPUT_H

#include "benchmarks/benchmark.h"

void xb_input(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out);
/* The elements first, first + stride, ...: a column of a matrix. */
void xb_input_strided(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t stride, uint64_t count, void *out);

/* What words [first, first + count) of an output are to hold. */
typedef void xb_expect_fn(const void *user, uint64_t first, uint64_t count, uint32_t *expected);
/* Whether the chunk has these words. If not, `element` is the first that differs, and `why` goes on from its name: "...
 * has the bits 0x00000001, expected 0x00000002". */
bool xb_words_match(const xb_chunk *chunk, xb_expect_fn *expect, const void *user, uint64_t *element, char why[64]);

#endif
