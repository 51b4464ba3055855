// Work queue 4: a wave that is done takes an item for each of its lanes.
// Source: ours; none of the documents has it.
#include "workqueue_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_items : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_results : register(u0);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_taken : register(u1);
[[vk::binding(3, 0)]] RWStructuredBuffer<uint> g_counters : register(u2);
XB_ARGS(xb_workqueue_args);

// [work] an item costs as many rounds as it says
uint work(uint item)
{
  uint x = item;
  for (uint r = (item & QUEUE_ROUNDS) * args.scale; r > 0; r--)
    x = QUEUE_ROUND(x);
  return x;
}

// Active lanes below this one. WavePrefixCountBits is not used: one of the compilers makes inclusive prefixes.
uint lanes_before()
{
  const uint4 active = WaveActiveBallot(true);
  uint count = 0;
  [unroll] for (uint w = 0; w < 4; w++) {
    const uint first = 32 * w, lane = WaveGetLaneIndex();
    count += countbits(active[w] & (lane >= first + 32 ? 0xffffffffu : lane > first ? (1u << (lane - first)) - 1 : 0));
  }
  return count;
}

groupshared uint all_taken;

[numthreads(BLOCK, 1, 1)]
void workqueue(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;
  if (tid == 0)
    all_taken = 0;
  GroupMemoryBarrierWithGroupSync();
  uint taken = 0;

  // [take] one lane asks for all. Nothing promises that all lanes are together again after the items of the last turn: a
  // batch is for those that are
  for (uint turn = 0; turn < args.turns; turn++) {
    uint begin = 0;
    const uint lanes = WaveActiveCountBits(true);
    if (WaveIsFirstLane())
      InterlockedAdd(g_counters[args.window], lanes, begin);
    begin = WaveReadLaneFirst(begin);
    const uint i = begin + lanes_before();
    if (begin >= args.n)
      break;
    if (i < args.n) {
      g_results[i] = work(g_items[i]);
      taken++;
    }
  }

  // [count] the items of this group: all groups together have each item once
  InterlockedAdd(all_taken, taken);
  GroupMemoryBarrierWithGroupSync();
  if (tid == 0)
    g_taken[args.first + group] = all_taken;
}
