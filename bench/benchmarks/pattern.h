/* Copies that touch only some elements: first, first + step, ... What the output of such a copy holds, and how many
 * segments of memory its waves touch. For families whose kernels move one word a thread. */
#ifndef XB_PATTERN_H
#define XB_PATTERN_H

#include "benchmarks/benchmark.h"

typedef struct xb_pattern {
  uint64_t first, step, count; /* thread i takes element first + i * step */
} xb_pattern;

/* An xb_generate_fn: all 32 bits are random, whatever the type, so that floats are NaNs and denormals, too. */
void xb_pattern_input(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out);
/* The pattern's words are those of xb_pattern_input, all others still XB_POISON. */
bool xb_pattern_check(const xb_case *c, xb_pattern pattern, const xb_chunk *chunk, char why[XB_WHY_BYTES]);
/* How many segments a wave of the device touches, and what that makes of the bandwidth relative to `base`: a wave moves
 * as many words either way. */
xb_model xb_pattern_model(const xb_case *c, xb_pattern pattern, xb_pattern base);

#endif
