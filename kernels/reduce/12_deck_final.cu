// Reduction 12: the deck's own final kernel, whose last warp has no barriers. Wrong on purpose.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Final Optimized Kernel' (with
// `volatile`); Young, DirectCompute Optimizations and Best Practices (GTC 2010), slide 'Final Optimized Compute Shader'
// (without).
// As in the deck, but: the second load is checked against n; a step for groups of 1024.
#include "reduce_args.h"
#include "entry.cuh"

// As in the deck: no barrier, because the 32 threads of a warp ran in lockstep, and `volatile`, so that each sum is
// stored. Since Volta nothing makes them run in lockstep: a thread may read what another has not yet written.
template <uint blockSize, typename T> __device__ void warpReduce(volatile T *sdata, uint tid)
{
  if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
  if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
  if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
  if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
  if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
  if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}

XB_KERNEL void reduce(const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args)
{
  __shared__ T sdata[BLOCK];

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [load] each thread loops over the input: the stride is the whole dispatch, so that each load stays coalesced
  const uint dispatchSize = BLOCK * 2 * args.groups;
  sdata[tid] = 0;
  for (uint i = group * (BLOCK * 2) + tid; i < args.n; i += dispatchSize) {
    T pair = g_idata[i];
    if (i + BLOCK < args.n)
      pair += g_idata[i + BLOCK];
    sdata[tid] += pair;
  }
  __syncthreads();

  // [reduce] the group size is known to the compiler, so the whole tree is unrolled
  if (BLOCK >= 1024) { if (tid < 512) sdata[tid] += sdata[tid + 512]; __syncthreads(); }
  if (BLOCK >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
  if (BLOCK >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
  if (BLOCK >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }

  // [last wave] unrolled, without a barrier
  if (tid < 32)
    warpReduce<BLOCK>(sdata, tid);

  // [write] one sum per group; a folded grid has extra groups at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}

XB_ENTRIES(reduce, (const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args), (g_idata, g_odata, args))
