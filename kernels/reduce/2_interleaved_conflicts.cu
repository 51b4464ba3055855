// Reduction 2: interleaved addressing with bank conflicts.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #2.
// As in the deck, but: bound checks (elements beyond n count as 0).
#include "reduce_args.h"
#include "entry.cuh"

XB_KERNEL void reduce(const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args)
{
  __shared__ T sdata[BLOCK];

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [load] each thread loads one element from global to shared memory
  const uint i = group * BLOCK + tid;
  T sum = 0;
  if (i < args.n)
    sum = g_idata[i];
  sdata[tid] = sum;
  __syncthreads();

  // [reduce] the first threads work, so few warps diverge; but their strided accesses cause bank conflicts
#pragma unroll 1
  for (uint s = 1; s < BLOCK; s *= 2) {
    const uint index = 2 * s * tid;
    if (index < BLOCK)
      sdata[index] += sdata[index + s];
    __syncthreads();
  }

  // [write] one sum per group; a folded grid has extra groups at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}

XB_ENTRIES(reduce, (const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args), (g_idata, g_odata, args))
