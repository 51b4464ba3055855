// Resident 2: groups count how many of them are on the device at a time. 8 KiB of shared memory.
// Source: NVIDIA, Optimizing CUDA, slide 'Occupancy'.
#include "resident_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_counters : register(u0);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_odata : register(u1);
XB_ARGS(xb_resident_args);

groupshared uint words[2048];

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

  // [share] each thread takes its neighbour's operand, through shared memory that is longer than that needs
  words[tid] = g_idata[tid];
  GroupMemoryBarrierWithGroupSync();
  uint x = words[(tid + 1) % BLOCK];

  // [work] long enough for other groups to begin
  const uint a = g_idata[tid];
  for (uint r = 0; r < args.rounds; r++) {
    UNROLL for (uint k = 0; k < 32; k++)
      x = x * a + k;
  }

  // [leave] after all of the group have worked
  g_odata[group * BLOCK + tid] = x;
  GroupMemoryBarrierWithGroupSync();
  if (tid == 0)
    InterlockedAdd(g_counters[RESIDENT_INSIDE], 0xffffffffu);
}
