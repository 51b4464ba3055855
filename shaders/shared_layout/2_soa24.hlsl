// Shared layout 2: an array for each of three 8-byte members.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Address linearization (SoA)'.
#include "shared_layout_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint2> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint2> g_odata : register(u0);
XB_ARGS(xb_shared_layout_args);

groupshared uint2 xs[BLOCK];
groupshared uint2 ys[BLOCK];
groupshared uint2 zs[BLOCK];

[numthreads(BLOCK, 1, 1)]
void shared_layout(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + tid;

  // [load] each thread its own struct; a thread that has none writes zeros
  xs[tid] = uint2(0, 0);
  ys[tid] = uint2(0, 0);
  zs[tid] = uint2(0, 0);
  if (i < args.n) { // HLSL's ?: would load beyond the end
    xs[tid] = g_idata[i];
    ys[tid] = g_idata[args.pitch + i];
    zs[tid] = g_idata[2 * args.pitch + i];
  }
  GroupMemoryBarrierWithGroupSync();

  // [one] the last member; the wave reads neighbouring words
  uint2 x = uint2(0, 0), y = uint2(0, 0), z = uint2(0, 0);
  for (uint r = 0; !args.all && r < args.rounds; r++) {
    const uint2 value = zs[tid ^ r % LAYOUT_ROUNDS];
    z = 3 * z + value;
  }

  // [all] sums in which the order counts, so no load can be left out
  for (uint r = 0; args.all && r < args.rounds; r++) {
    const uint2 vx = xs[tid ^ r % LAYOUT_ROUNDS];
    const uint2 vy = ys[tid ^ r % LAYOUT_ROUNDS];
    const uint2 vz = zs[tid ^ r % LAYOUT_ROUNDS];
    x = 3 * x + vx;
    y = 3 * y + vy;
    z = 3 * z + vz;
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
