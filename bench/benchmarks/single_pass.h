/* Kernels whose groups fit on the device at once, and whose last group finishes the result: reduce/9 and maximum/4. */
#ifndef XB_SINGLE_PASS_H
#define XB_SINGLE_PASS_H

#include "benchmarks/benchmark.h"

/* Those of the device; if it does not tell, 64, and 4 on a CPU, where each thread of a group adds time. */
uint64_t xb_multiprocessors(const xb_device_info *info);
/* The number of groups for `count` elements. */
uint64_t xb_single_pass_groups(const xb_case *c, uint64_t count);
/* Of `count` elements, the 16-byte vectors that the groups take in a fixed order, in whole tiles of 4 vectors a thread.
 * The rest is a queue. All of them, if groups have few tiles. */
uint64_t xb_single_pass_dealt(const xb_case *c, uint64_t count, uint64_t groups);

#endif
