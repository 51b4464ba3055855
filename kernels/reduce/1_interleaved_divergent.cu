// Reduction 1: interleaved addressing with divergent branching.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #1.
// As in the deck, but: bound checks (elements beyond n count as 0), and a second buffer for the sums: the deck's
// listing of #1 writes them into its input; its later listings have two buffers, as here.
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

  // [reduce] neighbours first: the working threads are 2 * s apart, so every warp diverges, and % is slow.
  // The loop is not unrolled, as in the deck: a compiler that unrolls it also turns % into a mask (rung 6 unrolls).
#pragma unroll 1
  for (uint s = 1; s < BLOCK; s *= 2) {
    if (tid % (2 * s) == 0)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }

  // [write] one sum per group; a folded grid has extra groups at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}

XB_ENTRIES(reduce, (const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args), (g_idata, g_odata, args))
