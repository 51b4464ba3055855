// Work of a context: each thread makes multiply-adds that depend on each other.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 10.6.
#include "contexts_args.h"
#include "entry.cuh"

XB_KERNEL void contexts(const uint *__restrict__ g_idata, uint *g_odata, xb_contexts_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n)
    return;

  // [work] long or short; what is added is no constant, so that no compiler makes one step of several
  uint h = g_idata[i];
  for (uint s = 0; s < args.steps; s++)
    h = h * CONTEXTS_FACTOR + args.steps;
  g_odata[i] = h;
}

XB_ENTRIES(contexts, (const uint *__restrict__ g_idata, uint *g_odata, xb_contexts_args args), (g_idata, g_odata, args))
