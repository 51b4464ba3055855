// Adjacent difference 2: each thread loads one element; the one before comes from shared memory.
// Source: Mordohai, CS 677, lecture 2, slide 'Example - shared variables': adj_diff.
#include "adjacent_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_adjacent_args);

groupshared T sdata[BLOCK];

[numthreads(BLOCK, 1, 1)]
void adjacent(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + tid;
  const uint at = i + args.lead;

  // [load] one element per thread
  if (i < args.n)
    sdata[tid] = g_idata[at];
  GroupMemoryBarrierWithGroupSync();

  // [difference] the neighbour of a group's first element was loaded by another group
  if (i < args.n && tid > 0)
    g_odata[i] = sdata[tid] - sdata[tid - 1];
  else if (i < args.n && at > 0)
    g_odata[i] = sdata[tid] - g_idata[at - 1];
}
