// Reduction 5: last wave unrolled.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #5.
// As in the deck, but: bound checks, and the last wave has barriers and `tid < s`, which the deck leaves out. Variant
// 11 leaves them out, too, and is wrong.
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

  // [reduce] the loop stops when 64 values are left
#pragma unroll 1
  for (uint s = BLOCK / 2; s > 32; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }

  // [last wave] unrolled. The deck omits barriers and `tid < s` here, because the 32 threads of a warp ran in lockstep.
  // Since Volta nothing guarantees that: threads of a warp may diverge. CUDA has a barrier for a warp (HLSL has none),
  // so the other warps do not wait.
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

  // [write] one sum per group; a folded grid has extra groups at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}

XB_ENTRIES(reduce, (const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args), (g_idata, g_odata, args))
