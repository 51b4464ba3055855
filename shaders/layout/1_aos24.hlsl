// Layout 1: 24-byte structs.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Address linearization (SoA)'.
#include "layout_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<xb_point24> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint2> g_odata : register(u0);
XB_ARGS(xb_layout_args);

[numthreads(BLOCK, 1, 1)]
void layout(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [one] the last member; the others come along in the same segments
  if (i < args.n && !args.all)
    g_odata[i] = g_idata[i].z;

  // [all] each load of the wave touches the segments of the whole structs
  if (i < args.n && args.all) {
    const xb_point24 p = g_idata[i];
    g_odata[i] = p.x;
    g_odata[args.pitch + i] = p.y;
    g_odata[2 * args.pitch + i] = p.z;
  }
}
