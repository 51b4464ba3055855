// Sums over tiles of 8 neighbouring threads: CUDA's tiled_partition<8>.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

static const uint TILE = 8;
groupshared uint values[GUIDE_BLOCK];

// [lanes] where a wave has whole tiles, and all its lanes exist: the host asks for full waves. Its lanes are taken to be
// neighbouring threads, which no API promises
uint sum_of_lanes(uint x, uint lane)
{
  for (uint s = 1; s < TILE; s *= 2)
    x += WaveReadLaneAt(x, lane ^ s);
  return x;
}

// [memory] for any wave, and any order of lanes
uint sum_of_memory(uint x, uint tid)
{
  values[tid] = x;
  GroupMemoryBarrierWithGroupSync();
  uint sum = 0;
  for (uint i = 0; i < TILE; i++)
    sum += values[tid / TILE * TILE + i];
  return sum;
}

// [tiles] the first word by lanes where that is possible, the second one by memory
[numthreads(GUIDE_BLOCK, 1, 1)]
void tiles(uint3 id : SV_DispatchThreadID, uint3 threadIdx : SV_GroupThreadID)
{
  const uint tid = threadIdx.x;
  uint x = 0;
  if (id.x < args.n)
    x = g_in[id.x];
  const uint by_memory = sum_of_memory(x, tid);
  uint by_lanes = by_memory;
  if (WaveGetLaneCount() % TILE == 0)
    by_lanes = sum_of_lanes(x, WaveGetLaneIndex());
  if (tid % TILE == 0 && id.x < args.n) {
    g_out[id.x / TILE * 2] = by_lanes;
    g_out[id.x / TILE * 2 + 1] = by_memory;
  }
}
