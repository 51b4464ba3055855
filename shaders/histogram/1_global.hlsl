// Histogram 1: a byte a thread, an atomic addition to device memory each.
// Source: Mordohai, CS 677, lecture 2, slide 'Example: Histogram'.
#include "histogram_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_bins : register(u0);
XB_ARGS(xb_histogram_args);

[numthreads(BLOCK, 1, 1)]
void histogram(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [count] HLSL has no bytes: a byte is taken from its word, here as well
  if (i < args.n)
    InterlockedAdd(g_bins[g_idata[i / 4] >> 8 * (i % 4) & 0xff], 1u);
}
