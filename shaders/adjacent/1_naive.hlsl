// Adjacent difference 1: each thread loads its element and the one before.
// Source: Mordohai, CS 677, lecture 2, slide 'Example - shared variables': adj_diff_naive.
#include "adjacent_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_adjacent_args);

[numthreads(BLOCK, 1, 1)]
void adjacent(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  const uint at = i + args.lead;

  // [difference] two loads; the first element of all has no neighbour and is not written
  if (i < args.n && at > 0)
    g_odata[i] = g_idata[at] - g_idata[at - 1];
}
