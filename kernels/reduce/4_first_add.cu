// Reduction 4: first add during load.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #4.
// As in the deck, but: bound checks of both loads (elements beyond n count as 0).
#include "reduce_args.h"
#include "entry.cuh"

XB_KERNEL void reduce(const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args)
{
  __shared__ T sdata[BLOCK];

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [load] each thread adds two elements as it loads: half as many groups, and no thread is idle in the first step
  const uint i = group * (BLOCK * 2) + tid;
  T sum = 0;
  if (i < args.n)
    sum = g_idata[i];
  if (i + BLOCK < args.n)
    sum += g_idata[i + BLOCK];
  sdata[tid] = sum;
  __syncthreads();

  // [reduce] neighbouring threads read neighbouring words: no bank conflicts
#pragma unroll 1
  for (uint s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }

  // [write] one sum per group; a folded grid has extra groups at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}

XB_ENTRIES(reduce, (const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args), (g_idata, g_odata, args))
