// Reduction 12: the deck's own final kernel, whose last wave has no barriers. Wrong on purpose.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), slide 'Final Optimized Compute Shader'.
// As in the deck, but: the second load is checked against n; a step for groups of 1024; `while` for its `do`, which
// adds an element beyond the end where a group has none.
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

  // [load] each thread loops over the input: the stride is the whole dispatch, so that each load stays coalesced
  const uint dispatchSize = BLOCK * 2 * args.groups;
  sdata[tid] = 0;
  for (uint i = group * (BLOCK * 2) + tid; i < args.n; i += dispatchSize) {
    T pair = g_idata[i];
    if (i + BLOCK < args.n)
      pair += g_idata[i + BLOCK];
    sdata[tid] += pair;
  }
  GroupMemoryBarrierWithGroupSync();

  // [reduce] the group size is known to the compiler, so the whole tree is unrolled
  if (BLOCK >= 1024) { if (tid < 512) sdata[tid] += sdata[tid + 512]; GroupMemoryBarrierWithGroupSync(); }
  if (BLOCK >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; GroupMemoryBarrierWithGroupSync(); }
  if (BLOCK >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; GroupMemoryBarrierWithGroupSync(); }
  if (BLOCK >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; GroupMemoryBarrierWithGroupSync(); }

  // [last wave] as in the deck: no barrier, because the 32 threads of a warp ran in lockstep. Nothing makes them: a wave
  // may have fewer lanes, and a thread may read what another has not yet written.
  if (tid < 32) {
    if (BLOCK >= 64) sdata[tid] += sdata[tid + 32];
    if (BLOCK >= 32) sdata[tid] += sdata[tid + 16];
    if (BLOCK >= 16) sdata[tid] += sdata[tid + 8];
    if (BLOCK >= 8) sdata[tid] += sdata[tid + 4];
    if (BLOCK >= 4) sdata[tid] += sdata[tid + 2];
    if (BLOCK >= 2) sdata[tid] += sdata[tid + 1];
  }

  // [write] one sum per group; a folded grid has extra groups at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}
