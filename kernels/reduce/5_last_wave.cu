// Reduction 5: last wave unrolled.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #5.
#include "reduce_args.h"
#include "entry.cuh"

XB_KERNEL void reduce(const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args)
{
  __shared__ T sdata[BLOCK];

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [load] each thread adds two elements on the way in: half the groups, no thread idle in the first step
  const uint i = group * (BLOCK * 2) + tid;
  T sum = 0;
  if (i < args.n)
    sum = g_idata[i];
  if (i + BLOCK < args.n)
    sum += g_idata[i + BLOCK];
  sdata[tid] = sum;
  __syncthreads();

  // [reduce] the loop stops where 64 values are left
#pragma unroll 1
  for (uint s = BLOCK / 2; s > 32; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }

  // [last wave] unrolled. The deck leaves out barriers and `tid < s` here, because 32 threads of one warp ran in step.
  // Nothing promises that since Volta: threads of a warp may run apart. CUDA has a barrier for a warp (HLSL: none), and
  // the other warps need not come along.
  if (tid < 32) {
    sdata[tid] += sdata[tid + 32];
    __syncwarp();
    if (tid < 16) sdata[tid] += sdata[tid + 16];
    __syncwarp();
    if (tid < 8) sdata[tid] += sdata[tid + 8];
    __syncwarp();
    if (tid < 4) sdata[tid] += sdata[tid + 4];
    __syncwarp();
    if (tid < 2) sdata[tid] += sdata[tid + 2];
    __syncwarp();
    if (tid < 1) sdata[tid] += sdata[tid + 1];
  }

  // [write] one sum a group; a folded grid has groups too many at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}

XB_ENTRIES(reduce, (const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args), (g_idata, g_odata, args))
