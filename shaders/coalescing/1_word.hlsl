// Coalescing 1: 4 bytes a thread; reads are permuted. In row 2 only every eighth thread is active.
// Source: NVIDIA, Optimizing CUDA, slide 'Coalescing'.
#include "coalescing_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_coalescing_args);

[numthreads(BLOCK, 1, 1)]
void coalescing(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  const uint rank = i >> args.skip; // among the active threads

  // [permute] inside the block of mask + 1 threads; threads behind the last whole block keep their order
  uint at = rank & args.mask;
  at = at * args.factor_1 & args.mask;
  at ^= at >> args.fold;
  at = at * args.factor_2 & args.mask;
  at = rank < args.whole ? (rank & ~args.mask) + at : rank;

  // [copy] an active thread reads the first word of its part of the input
  if (rank << args.skip == i && rank < args.n)
    g_odata[rank] = g_idata[at << args.skip];
}
