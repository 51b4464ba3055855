// Coalescing 3: 8 bytes a thread; reads are permuted.
// Source: NVIDIA, Optimizing CUDA, slide 'Coalescing'.
#include "coalescing_args.h"
#include "entry.cuh"

XB_KERNEL void coalescing(const uint2 *__restrict__ g_idata, uint2 *g_odata, xb_coalescing_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [permute] inside the block of mask + 1 threads; threads behind the last whole block keep their order
  uint at = i & args.mask;
  at = at * args.factor_1 & args.mask;
  at ^= at >> args.fold;
  at = at * args.factor_2 & args.mask;
  at = i < args.whole ? (i & ~args.mask) + at : i;

  // [copy] each unit is read once
  if (i < args.n)
    g_odata[i] = g_idata[at];
}

XB_ENTRIES(coalescing, (const uint2 *__restrict__ g_idata, uint2 *g_odata, xb_coalescing_args args),
           (g_idata, g_odata, args))
