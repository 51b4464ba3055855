// Reduction 6: completely unrolled.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #6.
// As in the deck, but: bound checks; barriers in the last wave, as in #5; a step for groups of 1024 (the deck ends at
// 512); and without its tests `groupDim_x >= 64` to `>= 2` in the last wave, because groups have 64 threads at least.
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

  // [reduce] the group size is known to the compiler, so the whole tree is unrolled
  if (BLOCK >= 1024) { if (tid < 512) sdata[tid] += sdata[tid + 512]; GroupMemoryBarrierWithGroupSync(); }
  if (BLOCK >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; GroupMemoryBarrierWithGroupSync(); }
  if (BLOCK >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; GroupMemoryBarrierWithGroupSync(); }
  if (BLOCK >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; GroupMemoryBarrierWithGroupSync(); }

  // [last wave] with a barrier for the group at each step, as in rung 5: threads of a wave may not run in lockstep, and
  // HLSL has no barrier for a wave (CUDA: __syncwarp)
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
