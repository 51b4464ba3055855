// Adjacent difference 2: each thread loads one element; the one before comes from shared memory.
// Source: Mordohai, CS 677, lecture 2, slide 'Example - shared variables': adj_diff.
#include "adjacent_args.h"
#include "entry.cuh"

XB_KERNEL void adjacent(const T *__restrict__ g_idata, T *g_odata, xb_adjacent_args args)
{
  __shared__ T sdata[BLOCK];

  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + tid; // grid_x is gridDim.x, which HLSL lacks
  const uint at = i + args.lead;

  // [load] one element per thread
  if (i < args.n)
    sdata[tid] = g_idata[at];
  __syncthreads();

  // [difference] the neighbour of a group's first element was loaded by another group
  if (i < args.n && tid > 0)
    g_odata[i] = sdata[tid] - sdata[tid - 1];
  else if (i < args.n && at > 0)
    g_odata[i] = sdata[tid] - g_idata[at - 1];
}

XB_ENTRIES(adjacent, (const T *__restrict__ g_idata, T *g_odata, xb_adjacent_args args), (g_idata, g_odata, args))
