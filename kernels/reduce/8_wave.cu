// Reduction 8: warp shuffles.
// Not in the deck: a sum inside each warp, stored in one slot per warp, replaces the tree in shared memory.
// Source: ours; none of the documents has it.
#include "reduce_args.h"
#include "entry.cuh"

// WaveActiveSum: a tree of shuffles; the first lane has the sum.
template <typename T> __device__ __forceinline__ T warp_sum(T sum)
{
  for (uint s = 16; s > 0; s >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, s);
  return sum;
}

XB_KERNEL void reduce(const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args)
{
  __shared__ T sdata[BLOCK / 32]; // one slot per warp

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [load] as in rung 7
  const uint dispatchSize = BLOCK * 2 * args.groups;
  T sum = 0;
  for (uint i = group * (BLOCK * 2) + tid; i < args.n; i += dispatchSize) {
    T pair = g_idata[i];
    if (i + BLOCK < args.n)
      pair += g_idata[i + BLOCK];
    sum += pair;
  }

  // [reduce] inside the warp, without a barrier. In CUDA tid / 32 is the index of the warp in the group, so no warp has
  // to allocate a slot, and no barrier is needed before
  sum = warp_sum(sum);
  if (tid % 32 == 0)
    sdata[tid / 32] = sum;
  __syncthreads();

  // [write] a few slots are left: one thread adds them
  if (tid == 0 && group < args.groups) {
    T total = sdata[0];
    for (uint w = 1; w < BLOCK / 32; w++)
      total += sdata[w];
    g_odata[group] = total;
  }
}

XB_ENTRIES(reduce, (const T *__restrict__ g_idata, T *g_odata, xb_reduce_args args), (g_idata, g_odata, args))
