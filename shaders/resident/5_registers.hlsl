// Resident 5: groups count how many of them are on the device at a time. 32 chains, so many registers.
// Source: NVIDIA, Optimizing CUDA, slide 'Occupancy'.
#include "resident_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_counters : register(u0);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_odata : register(u1);
XB_ARGS(xb_resident_args);

[numthreads(BLOCK, 1, 1)]
void resident(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [enter] one thread counts its group
  if (tid == 0) {
    uint before;
    InterlockedAdd(g_counters[RESIDENT_INSIDE], 1u, before);
    InterlockedMax(g_counters[RESIDENT_MOST], before + 1);
    InterlockedAdd(g_counters[RESIDENT_BEGUN], 1u);
  }

  // [work] chains in registers, long enough for other groups to begin
  const uint a = g_idata[tid];
  uint h[RESIDENT_CHAINS];
  UNROLL for (uint s = 0; s < RESIDENT_CHAINS; s++)
    h[s] = g_idata[(tid + 1) % BLOCK] + s;
  for (uint r = 0; r < args.rounds; r++) {
    UNROLL for (uint c = 0; c < RESIDENT_CHAINS; c++)
      h[c] = h[c] * a + c;
  }
  uint x = 0;
  UNROLL for (uint e = 0; e < RESIDENT_CHAINS; e++)
    x ^= h[e];

  // [leave] after all of the group have worked
  g_odata[group * BLOCK + tid] = x;
  GroupMemoryBarrierWithGroupSync();
  if (tid == 0)
    InterlockedAdd(g_counters[RESIDENT_INSIDE], 0xffffffffu);
}
