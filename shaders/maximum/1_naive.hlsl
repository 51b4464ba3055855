// Maximum 1: an element a thread; each is an atomic on the same word of device memory.
// Source: Mordohai, CS 677, lecture 2, slide 'Example: Global Min/Max (Naive)'.
#include "maximum_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_keys : register(u0);
XB_ARGS(xb_maximum_args);

[numthreads(BLOCK, 1, 1)]
void maximum(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [maximum]
  if (i < args.n)
    InterlockedMax(g_keys[0], KEY_OF(g_idata[i]));
}
