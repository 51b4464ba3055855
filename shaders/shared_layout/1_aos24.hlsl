// Shared layout 1: 24-byte structs.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Address linearization (SoA)'.
#include "shared_layout_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<xb_point24> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint2> g_odata : register(u0);
XB_ARGS(xb_shared_layout_args);

groupshared xb_point24 points[BLOCK];

[numthreads(BLOCK, 1, 1)]
void shared_layout(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + tid;

  // [load] each thread its own struct; a thread that has none writes zeros
  xb_point24 p = (xb_point24)0;
  if (i < args.n)
    p = g_idata[i];
  points[tid] = p;
  GroupMemoryBarrierWithGroupSync();

  // [one] the last member; the wave reads words that lie a struct apart
  uint2 x = uint2(0, 0), y = uint2(0, 0), z = uint2(0, 0);
  for (uint r = 0; !args.all && r < args.rounds; r++) {
    const uint2 value = points[tid ^ r % LAYOUT_ROUNDS].z;
    z = 3 * z + value;
  }

  // [all] sums in which the order counts, so no load can be left out
  for (uint r = 0; args.all && r < args.rounds; r++) {
    const xb_point24 q = points[tid ^ r % LAYOUT_ROUNDS];
    x = 3 * x + q.x;
    y = 3 * y + q.y;
    z = 3 * z + q.z;
  }

  // [write] an array for each member
  if (i < args.n && !args.all)
    g_odata[i] = z;
  if (i < args.n && args.all) {
    g_odata[i] = x;
    g_odata[args.pitch + i] = y;
    g_odata[2 * args.pitch + i] = z;
  }
}
