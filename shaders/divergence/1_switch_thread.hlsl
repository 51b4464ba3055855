// Divergence 1: a switch with 32 cases, each with a loop of its own.
#include "divergence_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T4> g_odata4 : register(u0);
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
  if (i >= args.n4)
    return;

  // [path] `run` neighbours take the same one
  const uint path = (i + args.phase) / args.run % args.ways;
  const T4 value = g_idata4[i];
  uint x = value.x % STARTS, y = ~x;

  // [run] the threads of a wave that take the same case run together, one case after the other.
  // The attribute asks for that; CUDA has none
  [branch] switch (path) {
    XB_EACH_PATH(CASE)
  }

  // [write] added to the input, so that elements differ
  const uint end = x ^ y;
  g_odata4[i] = value + end;
}
