// Divergence 3: a tree of ifs, five deep; each leaf has a loop of its own.
// Source: Mordohai, CS 677, lecture 2, slide 'Nested branches'.
#include "divergence_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint4> g_odata4 : register(u0);
XB_ARGS(xb_divergence_args);

// The paths k to k + 2 * bit - 1: one bit of the path decides at each level.
#define IF1(k) [branch] if ((path & 1) != 0) { XB_ROUNDS(k + 1) } else { XB_ROUNDS(k) }
#define IF2(k) [branch] if ((path & 2) != 0) { IF1(k + 2) } else { IF1(k) }
#define IF4(k) [branch] if ((path & 4) != 0) { IF2(k + 4) } else { IF2(k) }
#define IF8(k) [branch] if ((path & 8) != 0) { IF4(k + 8) } else { IF4(k) }
#define IF16(k) [branch] if ((path & 16) != 0) { IF8(k + 16) } else { IF8(k) }

[numthreads(BLOCK, 1, 1)]
void divergence(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.threads)
    return;

  // [path] `run` neighbours take the same one
  const uint path = (i + args.phase) / args.run % args.ways;
  uint x = g_idata4[i * VECTORS].x % STARTS, y = ~x;

  // [run] both sides of each if run, one after the other, where the threads of a wave disagree
  IF16(0)

  // [write] the end, added to each element, so that all differ
  const uint end = x ^ y;
  for (uint at = i * VECTORS; at < (i + 1) * VECTORS; at++)
    g_odata4[at] = g_idata4[at] + end;
}
