// Coalescing 1: 4 bytes a thread; reads are permuted. In row 2 only every eighth thread is active.
// Source: NVIDIA, Optimizing CUDA, slide 'Coalescing'.
#include "coalescing_args.h"
#include "entry.cuh"

XB_KERNEL void coalescing(const T *__restrict__ g_idata, T *g_odata, xb_coalescing_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  const uint rank = i >> args.skip;                                           // among the active threads

  // [permute] inside the block of mask + 1 threads; threads behind the last whole block keep their order
  uint at = rank & args.mask;
  at = at * args.factor_1 & args.mask;
  at ^= at >> args.fold;
  at = at * args.factor_2 & args.mask;
  at = rank < args.whole ? (rank & ~args.mask) + at : rank;

  // [copy] an active thread reads the first word of its part of the input
  if (rank << args.skip == i && rank < args.n)
    g_odata[rank] = g_idata[at << args.skip];
}

XB_ENTRIES(coalescing, (const T *__restrict__ g_idata, T *g_odata, xb_coalescing_args args), (g_idata, g_odata, args))
