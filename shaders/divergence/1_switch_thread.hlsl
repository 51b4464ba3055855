// Divergence 1: a switch with 32 cases, each with a loop of its own.
// Source: Mordohai, CS 677, lecture 2, slide 'Performance drops off with the degree of divergence'.
#include "divergence_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint4> g_odata4 : register(u0);
XB_ARGS(xb_divergence_args);

// The rounds of one path.
#define CASE(k) \
  case k: { \
    XB_ROUNDS(k) \
  } break;

[numthreads(BLOCK, 1, 1)]
void divergence(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.threads)
    return;

  // [path] `run` neighbours take the same one
  const uint path = (i + args.phase) / args.run % args.ways;
  uint x = g_idata4[i * VECTORS].x % STARTS, y = ~x;

  // [run] the threads of a wave that take the same case run together, one case after the other.
  // The attribute asks for that; CUDA has none
  [branch] switch (path) {
    XB_EACH_PATH(CASE)
  }

  // [write] the end, added to each element, so that all differ
  const uint end = x ^ y;
  for (uint at = i * VECTORS; at < (i + 1) * VECTORS; at++)
    g_odata4[at] = g_idata4[at] + end;
}
