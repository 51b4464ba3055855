// Reduction 4: first add during load.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #4.
// As in the deck, but: bound checks of both loads (elements beyond n count as 0).
#include "reduce_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_reduce_args);

groupshared T sdata[BLOCK];

[numthreads(BLOCK, 1, 1)]
void reduce(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);

  // [load] each thread adds two elements as it loads: half as many groups, and no thread is idle in the first step
  const uint i = group * (BLOCK * 2) + tid;
  T sum = 0;
  if (i < args.n)
    sum = g_idata[i];
  if (i + BLOCK < args.n)
    sum += g_idata[i + BLOCK];
  sdata[tid] = sum;
  GroupMemoryBarrierWithGroupSync();

  // [reduce] neighbouring threads read neighbouring words: no bank conflicts
  [loop]
  for (uint s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    GroupMemoryBarrierWithGroupSync();
  }

  // [write] one sum per group; a folded grid has extra groups at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}
