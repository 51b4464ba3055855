// Adds to each element the sum of all tiles before its tile, for rows 1 and 2.
// Source: ours; none of the documents has it.
#include "scan_args.h"

[[vk::binding(0, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
[[vk::binding(1, 0)]] StructuredBuffer<T> g_sums : register(t0);
XB_ARGS(xb_scan_args);

[numthreads(BLOCK, 1, 1)]
void scan(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  // [add] args.tile is a multiple of BLOCK, so a group has one tile
  const uint first = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK, i = first + threadIdx.x;
  if (i < args.n)
    g_odata[i] += g_sums[args.first_tile + first / args.tile];
}
