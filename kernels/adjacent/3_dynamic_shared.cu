// Adjacent difference 3: as rung 2, but shared memory is sized at launch.
// Source: Mordohai, CS 677, lecture 2, slide 'Example - shared variables': extern __shared__.
#include "adjacent_args.h"
#include "entry.cuh"

XB_KERNEL void adjacent(const T *__restrict__ g_idata, T *g_odata, xb_adjacent_args args)
{
  extern __shared__ uint dynamic[]; // uint, because both instances of the template share it
  T *sdata = reinterpret_cast<T *>(dynamic);

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
