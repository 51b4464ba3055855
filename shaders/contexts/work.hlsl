// Work of a context: each thread makes multiply-adds that depend on each other.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 10.6.
#include "contexts_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_contexts_args);

[numthreads(BLOCK, 1, 1)]
void contexts(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.n)
    return;

  // [work] long or short; what is added is no constant, so that no compiler makes one step of several
  uint h = g_idata[i];
  for (uint s = 0; s < args.steps; s++)
    h = h * CONTEXTS_FACTOR + args.steps;
  g_odata[i] = h;
}
