// Recompute 1: the value of an element is in a table.
// Source: NVIDIA, Optimizing CUDA, slide 'Optimize Algorithms for the GPU'.
#include "recompute_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
[[vk::binding(2, 0)]] StructuredBuffer<uint> g_values : register(t1);
XB_ARGS(xb_recompute_args);

[numthreads(BLOCK, 1, 1)]
void recompute(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [value] four more bytes of memory
  const uint value = g_values[i];

  // [write]
  g_odata[i] = g_idata[i] ^ value;
}
