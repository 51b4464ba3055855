// Counts the digits of each tile, for rungs 1 and 2; and those of all tiles.
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

template <typename T> __device__ __forceinline__ uint digit_of(uint bits, uint pass)
{
  return order_of(bits, T()) >> SORT_DIGIT_BITS * pass & SORT_DIGITS - 1;
}

XB_KERNEL void sort(const uint *__restrict__ g_keys, uint *g_counts, uint *g_totals, xb_sort_args args)
{
  const uint TILE = SORT_TILE(BLOCK), KEYS = SORT_KEYS(BLOCK);
  __shared__ uint counts[SORT_DIGITS];

  const uint tid = threadIdx.x, tile = XB_GROUP_INDEX(blockIdx, args.grid_x);
  uint d, k;
  for (d = tid; d < SORT_DIGITS; d += BLOCK)
    counts[d] = 0;
  __syncthreads();

  // [load]
  uint key[KEYS];
  for (k = 0; k < KEYS; k++) {
    const uint i = tile * TILE + k * BLOCK + tid;
    key[k] = 0;
    if (i < args.n)
      key[k] = g_keys[i];
  }

  // [count]
  for (k = 0; k < KEYS; k++)
    if (tile * TILE + k * BLOCK + tid < args.n)
      atomicAdd(&counts[digit_of<T>(key[k], args.pass)], 1u);
  __syncthreads();

  // [write] a folded grid may have more groups than tiles
  if (tile < args.tiles)
    for (d = tid; d < SORT_DIGITS; d += BLOCK) {
      g_counts[d * args.tiles + tile] = counts[d];
      atomicAdd(&g_totals[args.pass * SORT_DIGITS + d], counts[d]);
    }
}

XB_ENTRIES(sort,
           (const uint *__restrict__ g_keys, uint *g_counts, uint *g_totals, xb_sort_args args),
           (g_keys, g_counts, g_totals, args))
