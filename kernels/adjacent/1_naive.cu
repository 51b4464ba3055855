// Adjacent difference 1: each thread loads its element and the one before.
// Source: Mordohai, CS 677, lecture 2, slide 'Example - shared variables': adj_diff_naive.
#include "adjacent_args.h"
#include "entry.cuh"

XB_KERNEL void adjacent(const T *__restrict__ g_idata, T *g_odata, xb_adjacent_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  const uint at = i + args.lead;

  // [difference] two loads; the first element of all has no neighbour and is not written
  if (i < args.n && at > 0)
    g_odata[i] = g_idata[at] - g_idata[at - 1];
}

XB_ENTRIES(adjacent, (const T *__restrict__ g_idata, T *g_odata, xb_adjacent_args args), (g_idata, g_odata, args))
