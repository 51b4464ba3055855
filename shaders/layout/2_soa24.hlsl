// Layout 2: an array for each of three 8-byte members.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Address linearization (SoA)'.
#include "layout_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint2> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint2> g_odata : register(u0);
XB_ARGS(xb_layout_args);

[numthreads(BLOCK, 1, 1)]
void layout(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [one] the last member; its array has no other members
  if (i < args.n && !args.all)
    g_odata[i] = g_idata[2 * args.pitch + i];

  // [all] each load of the wave is of neighbouring words
  if (i < args.n && args.all) {
    g_odata[i] = g_idata[i];
    g_odata[args.pitch + i] = g_idata[args.pitch + i];
    g_odata[2 * args.pitch + i] = g_idata[2 * args.pitch + i];
  }
}
