// Layout 4: an array for each of three 4-byte members.
// Source: ours; none of the documents has it.
#include "layout_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
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
