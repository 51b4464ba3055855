// Maximum 2: each element goes to a regional maximum first. Only where it is larger than that, it goes to the maximum.
// Source: Mordohai, CS 677, lecture 2, slide 'Example: Global Min/Max (Better)'.
#include "maximum_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_keys : register(u0);
XB_ARGS(xb_maximum_args);

[numthreads(BLOCK, 1, 1)]
void maximum(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [maximum]
  if (i < args.n) {
    const uint key = KEY_OF(g_idata[i]);
    uint old;
    InterlockedMax(g_keys[1 + i % REGIONS], key, old);
    if (old < key)
      InterlockedMax(g_keys[0], key);
  }
}
