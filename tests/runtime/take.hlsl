// Writes the bins in order, and their complements in reverse order.
#include "tally_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_bins : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_sums : register(u0);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_complements : register(u1);
XB_ARGS(tally_args);

[numthreads(BLOCK, 1, 1)]
void take(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint bin = groupIdx.x * BLOCK + threadIdx.x;
  if (bin >= args.bins)
    return;
  g_sums[bin] = g_bins[bin];
  if (args.both)
    g_complements[args.bins - 1 - bin] = ~g_bins[bin];
}
