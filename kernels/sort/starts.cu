// For rung 3: the counts of all smaller digits, as the state before the first tile. A group has a pass.
// Source: ours; none of the documents has it.
#include "sort_args.h"
#include "entry.cuh"

XB_KERNEL void sort(const uint *__restrict__ g_totals, uint *g_states, xb_sort_args args)
{
  __shared__ uint sdata[SORT_DIGITS];

  // [scan] in log2(SORT_DIGITS) steps
  const uint tid = threadIdx.x, pass = XB_GROUP_INDEX(blockIdx, args.grid_x);
  if (pass >= SORT_PASSES) // a folded grid may have more groups
    return;
  uint total = 0;
  if (tid < SORT_DIGITS)
    sdata[tid] = total = g_totals[pass * SORT_DIGITS + tid];
  for (uint s = 1; s < SORT_DIGITS; s *= 2) {
    uint below = 0;
    __syncthreads();
    if (tid >= s && tid < SORT_DIGITS)
      below = sdata[tid - s];
    __syncthreads();
    if (tid < SORT_DIGITS)
      sdata[tid] += below;
  }

  // [write]
  if (tid < SORT_DIGITS)
    g_states[SORT_COUNTERS + pass * (args.tiles + 1) * SORT_DIGITS + tid] =
      uint(SORT_STATE_ALL) << SORT_STATE_SHIFT | sdata[tid] - total;
}

XB_ENTRIES(sort, (const uint *__restrict__ g_totals, uint *g_states, xb_sort_args args), (g_totals, g_states, args))
