// Histogram 2: a group counts in shared memory, and adds its counts to device memory once.
// Source: ours; none of the documents has it.
#include "histogram_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_bins : register(u0);
XB_ARGS(xb_histogram_args);

groupshared uint counters[BYTE_BINS];

[numthreads(BLOCK, 1, 1)]
void histogram(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [clear]
  for (uint c = tid; c < BYTE_BINS; c += BLOCK)
    counters[c] = 0;
  GroupMemoryBarrierWithGroupSync();

  // [count] four bytes a turn, then the last n % 4
  for (uint i = group * BLOCK + tid; i < args.n / 4; i += args.groups * BLOCK) {
    const uint word = g_idata[i];
    InterlockedAdd(counters[word & 0xff], 1u);
    InterlockedAdd(counters[word >> 8 & 0xff], 1u);
    InterlockedAdd(counters[word >> 16 & 0xff], 1u);
    InterlockedAdd(counters[word >> 24], 1u);
  }
  if (group == 0 && tid < args.n % 4)
    InterlockedAdd(counters[g_idata[args.n / 4] >> 8 * tid & 0xff], 1u);
  GroupMemoryBarrierWithGroupSync();

  // [add]
  for (uint bin = tid; bin < BYTE_BINS; bin += BLOCK)
    if (counters[bin] > 0)
      InterlockedAdd(g_bins[bin], counters[bin]);
}
