// Reduction 7: many elements per thread.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #7.
// As in the deck, but: a thread adds in a register (the deck in sdata[tid]); the second load is checked against n, too,
// where the deck reads beyond the end; barriers in the last wave, as in #5. Variant 12 is the deck's own final kernel.
#include "reduce_args.h"
#include "entry.cuh"

XB_KERNEL void reduce(const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args)
{
  __shared__ T sdata[BLOCK];

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [load] each thread loops over the input: the stride is the whole dispatch, so that each load stays coalesced
  const uint dispatchSize = BLOCK * 2 * args.groups;
  T sum = 0;
  for (uint i = group * (BLOCK * 2) + tid; i < args.n; i += dispatchSize) {
    T pair = g_idata[i];
    if (i + BLOCK < args.n)
      pair += g_idata[i + BLOCK];
    sum += pair;
  }
  sdata[tid] = sum;
  __syncthreads();

  // [reduce] the group size is known to the compiler, so the whole tree is unrolled
  if (BLOCK >= 1024) { if (tid < 512) sdata[tid] += sdata[tid + 512]; __syncthreads(); }
  if (BLOCK >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
  if (BLOCK >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
  if (BLOCK >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }

  // [last wave] with a barrier for the warp at each step, as in rung 5: threads of a warp may not run in lockstep, and
  // HLSL has no barrier for a wave
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
