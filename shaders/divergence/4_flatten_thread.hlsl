// Divergence 4: all paths in use run, and each thread keeps the result of its own.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 12.2.
#include "divergence_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint4> g_odata4 : register(u0);
XB_ARGS(xb_divergence_args);

// One round of a path. All threads compare `ways` alike, so that branch costs no second path.
#define STEP(k) \
  [branch] if (args.ways > k) { \
    [flatten] if (path == k) \
      XB_ROUND(k, x, y) \
  }

[numthreads(BLOCK, 1, 1)]
void divergence(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.threads)
    return;

  // [path] `run` neighbours take the same one
  const uint path = (i + args.phase) / args.run % args.ways;
  uint x = g_idata4[i * VECTORS].x % STARTS, y = ~x;

  // [run] none by thread: the paths are inside the loop, short enough to be selected
  for (uint r = 0; r < args.rounds; r++) {
    XB_EACH_PATH(STEP)
  }

  // [write] the end, added to each element, so that all differ
  const uint end = x ^ y;
  for (uint at = i * VECTORS; at < (i + 1) * VECTORS; at++)
    g_odata4[at] = g_idata4[at] + end;
}
