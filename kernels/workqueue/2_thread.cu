// Work queue 2: a thread that is done takes the next item.
// Source: ours; none of the documents has it.
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

XB_KERNEL void workqueue(const uint *__restrict__ g_items, uint *g_results, uint *g_taken, uint *g_counters,
                         xb_workqueue_args args)
{
  __shared__ uint all_taken;

  const uint tid = threadIdx.x, group = XB_GROUP_INDEX(blockIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;
  if (tid == 0)
    all_taken = 0;
  __syncthreads();
  uint taken = 0;

  // [take] the counter has the next item. All threads add 1 to one word: a compiler may join the additions of a wave
  for (uint turn = 0; turn < args.turns; turn++) {
    const uint i = atomicAdd(&g_counters[args.window], 1u);
    if (i >= args.n)
      break;
    g_results[i] = work(g_items[i], args);
    taken++;
  }

  // [count] the items of this group: all groups together have each item once
  atomicAdd(&all_taken, taken);
  __syncthreads();
  if (tid == 0)
    g_taken[args.first + group] = all_taken;
}

XB_ENTRIES(workqueue,
           (const uint *__restrict__ g_items, uint *g_results, uint *g_taken, uint *g_counters, xb_workqueue_args args),
           (g_items, g_results, g_taken, g_counters, args))
