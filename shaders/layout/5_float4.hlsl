// Layout 5: vectors of four members.
// Source: ours; none of the documents has it.
#include "layout_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_layout_args);

[numthreads(BLOCK, 1, 1)]
void layout(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [one] the last member; four bytes of sixteen
  if (i < args.n && !args.all)
    g_odata[i] = g_idata[i].w;

  // [all] one load for all members
  if (i < args.n && args.all) {
    const uint4 p = g_idata[i];
    g_odata[i] = p.x;
    g_odata[args.pitch + i] = p.y;
    g_odata[2 * args.pitch + i] = p.z;
    g_odata[3 * args.pitch + i] = p.w;
  }
}
