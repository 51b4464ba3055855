// Maximum 2: each element goes to a regional maximum first. Only where it is larger than that, it goes to the maximum.
// Source: Mordohai, CS 677, lecture 2, slide 'Example: Global Min/Max (Better)'.
#include "maximum_args.h"
#include "entry.cuh"

XB_KERNEL void maximum(const T *__restrict__ g_idata, uint *g_keys, xb_maximum_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [maximum]
  if (i < args.n) {
    const uint key = KEY_OF(g_idata[i]);
    const uint old = atomicMax(&g_keys[1 + i % REGIONS], key);
    if (old < key)
      atomicMax(&g_keys[0], key);
  }
}

XB_ENTRIES(maximum, (const T *__restrict__ g_idata, uint *g_keys, xb_maximum_args args), (g_idata, g_keys, args))
