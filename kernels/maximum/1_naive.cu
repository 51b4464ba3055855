// Maximum 1: an element a thread; each is an atomic on the same word of device memory.
// Source: Mordohai, CS 677, lecture 2, slide 'Example: Global Min/Max (Naive)'.
#include "maximum_args.h"
#include "entry.cuh"

XB_KERNEL void maximum(const T *__restrict__ g_idata, uint *g_keys, xb_maximum_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [maximum]
  if (i < args.n)
    atomicMax(&g_keys[0], KEY_OF(g_idata[i]));
}

XB_ENTRIES(maximum, (const T *__restrict__ g_idata, uint *g_keys, xb_maximum_args args), (g_idata, g_keys, args))
