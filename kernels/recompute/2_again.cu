// Recompute 2: the value of an element is computed again.
// Source: NVIDIA, Optimizing CUDA, slide 'Optimize Algorithms for the GPU'.
#include "recompute_args.h"
#include "entry.cuh"

XB_KERNEL void recompute(const uint *__restrict__ g_idata, uint *g_odata, xb_recompute_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [value] a chain: each multiply-add needs the one before
  uint value = args.first + i;
  for (uint turn = 0; turn < args.turns; turn++)
    value = value * args.factor + RECOMPUTE_TERM;

  // [write]
  g_odata[i] = g_idata[i] ^ value;
}

XB_ENTRIES(recompute,
           (const uint *__restrict__ g_idata, uint *g_odata, xb_recompute_args args),
           (g_idata, g_odata, args))
