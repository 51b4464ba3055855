// Reduction 5: last wave unrolled.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #5.
// As in the deck, but: bound checks, and the last wave has barriers and `tid < s`, which the deck leaves out. Variant
// 11 leaves them out, too, and is wrong.
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

  // [reduce] the loop stops when 64 values are left
  [loop]
  for (uint s = BLOCK / 2; s > 32; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    GroupMemoryBarrierWithGroupSync();
  }

  // [last wave] unrolled. The deck omits barriers and `tid < s` here, because the 32 threads of a wave ran in lockstep.
  // Nothing guarantees that: waves may be smaller or larger, and threads of a wave may diverge. HLSL has no barrier for
  // a wave (CUDA: __syncwarp), so each step has a barrier for the whole group.
  if (tid < 32) sdata[tid] += sdata[tid + 32];
  GroupMemoryBarrierWithGroupSync();
  if (tid < 16) sdata[tid] += sdata[tid + 16];
  GroupMemoryBarrierWithGroupSync();
  if (tid < 8) sdata[tid] += sdata[tid + 8];
  GroupMemoryBarrierWithGroupSync();
  if (tid < 4) sdata[tid] += sdata[tid + 4];
  GroupMemoryBarrierWithGroupSync();
  if (tid < 2) sdata[tid] += sdata[tid + 2];
  GroupMemoryBarrierWithGroupSync();
  if (tid < 1) sdata[tid] += sdata[tid + 1];

  // [write] one sum per group; a folded grid has extra groups at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}
