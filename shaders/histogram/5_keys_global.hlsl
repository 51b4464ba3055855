// Histogram 5: a key a thread, an atomic addition to device memory each.
// Source: ours; none of the documents has it.
#include "histogram_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_bins : register(u0);
XB_ARGS(xb_histogram_args);

[numthreads(BLOCK, 1, 1)]
void histogram(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [count]
  if (i < args.n)
    InterlockedAdd(g_bins[g_idata[i] >> 16], 1u);
}
