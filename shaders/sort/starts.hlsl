// For rung 3: the counts of all smaller digits, as the state before the first tile. A group has a pass.
// Source: ours; none of the documents has it.
#include "sort_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_totals : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_states : register(u0);
XB_ARGS(xb_sort_args);

groupshared uint sdata[SORT_DIGITS];

[numthreads(BLOCK, 1, 1)]
void sort(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  // [scan] in log2(SORT_DIGITS) steps
  const uint tid = threadIdx.x, pass = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (pass >= SORT_PASSES) // a folded grid may have more groups
    return;
  uint total = 0;
  if (tid < SORT_DIGITS)
    sdata[tid] = total = g_totals[pass * SORT_DIGITS + tid];
  for (uint s = 1; s < SORT_DIGITS; s *= 2) {
    uint below = 0;
    GroupMemoryBarrierWithGroupSync();
    if (tid >= s && tid < SORT_DIGITS)
      below = sdata[tid - s];
    GroupMemoryBarrierWithGroupSync();
    if (tid < SORT_DIGITS)
      sdata[tid] += below;
  }

  // [write]
  if (tid < SORT_DIGITS)
    g_states[SORT_COUNTERS + pass * (args.tiles + 1) * SORT_DIGITS + tid] =
      (uint)SORT_STATE_ALL << SORT_STATE_SHIFT | sdata[tid] - total;
}
