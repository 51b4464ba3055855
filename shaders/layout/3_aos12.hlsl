// Layout 3: 12-byte structs.
// Source: ours; none of the documents has it.
#include "layout_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<xb_point12> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
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
    const xb_point12 p = g_idata[i];
    g_odata[i] = p.x;
    g_odata[args.pitch + i] = p.y;
    g_odata[2 * args.pitch + i] = p.z;
  }
}
