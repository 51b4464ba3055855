/* Copies of some elements only: first, first + step, ... This file checks the output of such a copy and counts the
 * memory segments that its waves touch. For benchmarks whose kernels move one word per thread. */
#ifndef XB_PATTERN_H
#define XB_PATTERN_H

#include "benchmarks/benchmark.h"

typedef struct xb_pattern {
  uint64_t first, step, count; /* thread i copies element first + i * step */
} xb_pattern;

/* True if the pattern's words are those of xb_bits and all other words are still XB_POISON. */
bool xb_pattern_check(const xb_case *c, xb_pattern pattern, const xb_chunk *chunk, char why[XB_WHY_BYTES]);
/* Threads of the waves whose segments models count. A CPU's waves do not matter to its memory, so there it is a warp.
 */
uint32_t xb_model_lanes(const xb_device_info *device);
/* The number of segments that a wave of the device touches, and the resulting bandwidth relative to `base`. A wave
 * moves the same number of words in both patterns. */
xb_model xb_pattern_model(const xb_case *c, xb_pattern pattern, xb_pattern base);

#endif
