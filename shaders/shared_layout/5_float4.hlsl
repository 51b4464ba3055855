// Shared layout 5: vectors of four members.
// Source: ours; none of the documents has it.
#include "shared_layout_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_shared_layout_args);

groupshared uint4 points[BLOCK];

[numthreads(BLOCK, 1, 1)]
void shared_layout(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + tid;

  // [load] each thread its own struct; a thread that has none writes zeros
  uint4 p = uint4(0, 0, 0, 0);
  if (i < args.n)
    p = g_idata[i];
  points[tid] = p;
  GroupMemoryBarrierWithGroupSync();

  // [one] the last member; the words of the wave lie in every fourth bank
  uint x = 0, y = 0, z = 0, w = 0;
  for (uint r = 0; !args.all && r < args.rounds; r++) {
    const uint value = points[tid ^ r % LAYOUT_ROUNDS].w;
    w = 3 * w + value;
  }

  // [all] sums in which the order counts, so no load can be left out
  for (uint r = 0; args.all && r < args.rounds; r++) {
    const uint4 q = points[tid ^ r % LAYOUT_ROUNDS];
    x = 3 * x + q.x;
    y = 3 * y + q.y;
    z = 3 * z + q.z;
    w = 3 * w + q.w;
  }

  // [write] an array for each member
  if (i < args.n && !args.all)
    g_odata[i] = w;
  if (i < args.n && args.all) {
    g_odata[i] = x;
    g_odata[args.pitch + i] = y;
    g_odata[2 * args.pitch + i] = z;
    g_odata[3 * args.pitch + i] = w;
  }
}
