// Reduction 1: interleaved addressing with divergent branching.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), Reduction #1.
// As in the deck, but: bound checks (elements beyond n count as 0), and a second buffer for the sums: the deck's
// listing of #1 writes them into its input; its later listings have two buffers, as here.
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

  // [load] each thread loads one element from global to shared memory
  const uint i = group * BLOCK + tid;
  T sum = 0;
  if (i < args.n)
    sum = g_idata[i];
  sdata[tid] = sum;
  GroupMemoryBarrierWithGroupSync();

  // [reduce] neighbours first: the working threads are 2 * s apart, so every wave diverges, and % is slow.
  // The loop is not unrolled, as in the deck: a compiler that unrolls it also turns % into a mask (rung 6 unrolls).
  [loop]
  for (uint s = 1; s < BLOCK; s *= 2) {
    if (tid % (2 * s) == 0)
      sdata[tid] += sdata[tid + s];
    GroupMemoryBarrierWithGroupSync();
  }

  // [write] one sum per group; a folded grid has extra groups at its end
  if (tid == 0 && group < args.groups)
    g_odata[group] = sdata[0];
}
