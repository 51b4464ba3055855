// Counts the digits of all passes at once, for rung 3.
// Source: ours; none of the documents has it.
#include "sort_args.h"
#include "entry.cuh"

__device__ __forceinline__ uint order_of(uint bits, uint)
{
  return SORT_ORDER_INT32(bits);
}

__device__ __forceinline__ uint order_of(uint bits, float)
{
  return SORT_ORDER_FLOAT32(bits);
}

XB_KERNEL void sort(const uint *__restrict__ g_keys, uint *g_totals, xb_sort_args args)
{
  const uint KEYS = SORT_KEYS(BLOCK);
  __shared__ uint counts[SORT_PASSES * SORT_DIGITS];

  const uint tid = threadIdx.x, group = XB_GROUP_INDEX(blockIdx, args.grid_x);
  uint d, k;
  for (d = tid; d < SORT_PASSES * SORT_DIGITS; d += BLOCK)
    counts[d] = 0;
  __syncthreads();

  // [count] some loads at a time, as registers are few
#pragma unroll 1
  for (k = 0; k < SORT_TOTALS_KEYS; k += KEYS) {
    const uint first = (group * SORT_TOTALS_KEYS + k) * BLOCK + tid;
    uint key[KEYS], e;
    for (e = 0; e < KEYS; e++) {
      key[e] = 0;
      if (first + e * BLOCK < args.n)
        key[e] = g_keys[first + e * BLOCK];
    }
    for (e = 0; e < KEYS; e++)
      if (first + e * BLOCK < args.n)
        for (uint pass = 0; pass < SORT_PASSES; pass++) {
          const uint place = pass * SORT_DIGITS + (order_of(key[e], T()) >> SORT_DIGIT_BITS * pass & SORT_DIGITS - 1);
          atomicAdd(&counts[place], 1u);
        }
  }
  __syncthreads();

  // [write]
  for (d = tid; d < SORT_PASSES * SORT_DIGITS; d += BLOCK)
    if (counts[d])
      atomicAdd(&g_totals[d], counts[d]);
}

XB_ENTRIES(sort, (const uint *__restrict__ g_keys, uint *g_totals, xb_sort_args args), (g_keys, g_totals, args))
