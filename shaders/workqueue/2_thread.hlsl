// Work queue 2: a thread that is done takes the next item.
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

  // [take] the counter has the next item. All threads add 1 to one word: a compiler may join the additions of a wave
  for (uint turn = 0; turn < args.turns; turn++) {
    uint i;
    InterlockedAdd(g_counters[args.window], 1u, i);
    if (i >= args.n)
      break;
    g_results[i] = work(g_items[i]);
    taken++;
  }

  // [count] the items of this group: all groups together have each item once
  InterlockedAdd(all_taken, taken);
  GroupMemoryBarrierWithGroupSync();
  if (tid == 0)
    g_taken[args.first + group] = all_taken;
}
