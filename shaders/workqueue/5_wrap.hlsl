// Work queue 5: a thread for each item, and a counter that begins again: nobody clears it between runs. Each result has
// its item's index, so that it can be checked.
// Source: Mordohai, CS 677, lecture 2, slide 'Example: Workqueue'.
#include "workqueue_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_items : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_results : register(u0);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_counters : register(u1);
XB_ARGS(xb_workqueue_args);

// [work] an item costs as many rounds as it says
uint work(uint item)
{
  uint x = item;
  for (uint r = (item & QUEUE_ROUNDS) * args.scale; r > 0; r--)
    x = QUEUE_ROUND(x);
  return x;
}

[numthreads(BLOCK, 1, 1)]
void workqueue(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  if (XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x >= args.n)
    return;

  // [take] as many threads as items take one, so whoever gets the last one clears the counter
  uint i, last;
  InterlockedAdd(g_counters[args.window], 1u, i);
  if (i == args.n - 1)
    InterlockedExchange(g_counters[args.window], 0u, last);
  g_results[i] = work(g_items[i]);
}
