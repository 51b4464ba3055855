// Reduction 11: the deck's own #5, whose last warp has no barriers. Wrong on purpose.
// Source: National Tsing Hua University, Performance (Memory) Optimization, Reduction #5 (with `volatile`); Young,
// DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #5 (without).
// As in the deck, but: bound checks (elements beyond n count as 0).
#include "reduce_args.h"
#include "entry.cuh"

// As in the deck: no barrier, because the 32 threads of a warp ran in lockstep, and `volatile`, so that each sum is
// stored. Since Volta nothing makes them run in lockstep: a thread may read what another has not yet written.
template <typename T> __device__ void warpReduce(volatile T *sdata, uint tid)
{
  sdata[tid] += sdata[tid + 32];
  sdata[tid] += sdata[tid + 16];
  sdata[tid] += sdata[tid + 8];
  sdata[tid] += sdata[tid + 4];
  sdata[tid] += sdata[tid + 2];
  sdata[tid] += sdata[tid + 1];
}

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

  // [last wave] unrolled, without a barrier
  if (tid < 32)
    warpReduce(sdata, tid);

  // [write] one sum per group; a folded grid has extra groups at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}

XB_ENTRIES(reduce, (const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args), (g_idata, g_odata, args))
