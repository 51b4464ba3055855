// Adds the second word of each pair to the bin that the first word selects.
#include "tally_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint2> g_pairs : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_bins : register(u0);
XB_ARGS(tally_args);

[numthreads(BLOCK, 1, 1)]
void add(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint first = (groupIdx.x * BLOCK + threadIdx.x) * args.each;
  for (uint i = first; i < first + args.each && i < args.count; i++)
    InterlockedAdd(g_bins[g_pairs[i].x & (args.bins - 1)], g_pairs[i].y);
}
