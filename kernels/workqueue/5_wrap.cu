// Work queue 5: a thread for each item, and a counter that begins again: nobody clears it between runs. Each result has
// its item's index, so that it can be checked.
// Source: Mordohai, CS 677, lecture 2, slide 'Example: Workqueue'.
#include "workqueue_args.h"
#include "entry.cuh"

// [work] an item costs as many rounds as it says
__device__ __forceinline__ uint work(uint item, const xb_workqueue_args &args)
{
  uint x = item;
  for (uint r = (item & QUEUE_ROUNDS) * args.scale; r > 0; r--)
    x = QUEUE_ROUND(x);
  return x;
}

XB_KERNEL void workqueue(const uint *__restrict__ g_items, uint *g_results, uint *g_counters, xb_workqueue_args args)
{
  if (XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x >= args.n)
    return;

  // [take] as many threads as items take one, so whoever gets the last one clears the counter
  const uint i = atomicAdd(&g_counters[args.window], 1u);
  if (i == args.n - 1)
    atomicExch(&g_counters[args.window], 0u);
  g_results[i] = work(g_items[i], args);
}

// Row 6, the lecture's form: from n - 1 the counter goes to 0. HLSL has no atomicInc.
XB_KERNEL void workqueue_inc(const uint *__restrict__ g_items, uint *g_results, uint *g_counters,
                             xb_workqueue_args args)
{
  if (XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x >= args.n)
    return;
  const uint i = atomicInc(&g_counters[args.window], args.n - 1);
  g_results[i] = work(g_items[i], args);
}

XB_ENTRIES(workqueue, (const uint *__restrict__ g_items, uint *g_results, uint *g_counters, xb_workqueue_args args),
           (g_items, g_results, g_counters, args))
XB_ENTRIES(workqueue_inc, (const uint *__restrict__ g_items, uint *g_results, uint *g_counters, xb_workqueue_args args),
           (g_items, g_results, g_counters, args))
