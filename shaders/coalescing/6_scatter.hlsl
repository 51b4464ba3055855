// Coalescing 6: 4 bytes a thread; writes are permuted, reads are in order.
// Source: NVIDIA, Optimizing CUDA, slide 'Coalescing'.
#include "coalescing_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_coalescing_args);

[numthreads(BLOCK, 1, 1)]
void coalescing(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [permute] inside the block of mask + 1 threads; threads behind the last whole block keep their order
  uint at = i & args.mask;
  at = at * args.factor_1 & args.mask;
  at ^= at >> args.fold;
  at = at * args.factor_2 & args.mask;
  at = i < args.whole ? (i & ~args.mask) + at : i;

  // [copy] each word is written once, so no two threads write to the same place
  if (i < args.n)
    g_odata[at] = g_idata[i];
}
