// Work queue 5: a thread for each item, and a counter that begins again by itself: nobody clears it between runs. The
// lecture's form, but for the result, which has its item's index here, so that each can be checked.
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

  // [take] from n - 1 the counter goes to 0
  const uint i = atomicInc(&g_counters[args.window], args.n - 1);
  g_results[i] = work(g_items[i], args);
}

XB_ENTRIES(workqueue, (const uint *__restrict__ g_items, uint *g_results, uint *g_counters, xb_workqueue_args args),
           (g_items, g_results, g_counters, args))
