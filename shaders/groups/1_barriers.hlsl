// Groups 1: in each step a thread needs what its neighbour had after the step before, so the group meets at a barrier.
// Source: NVIDIA, Optimizing CUDA, slide 'Grid/Block Size Heuristics'.
#include "groups_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_groups_args);

groupshared uint words[2 * BLOCK];

[numthreads(BLOCK, 1, 1)]
void groups(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [load] the operand is the same in all groups, the first word is not
  const uint operand = g_idata[tid];
  uint h = operand + args.first + group;

  // [steps] words of odd and even steps lie apart, so one barrier a step is enough
  for (uint s = 0; s < args.steps; s++) {
    words[s % 2 * BLOCK + tid] = h;
    GroupMemoryBarrierWithGroupSync();
    h = h * GROUPS_FACTOR + 2 * words[s % 2 * BLOCK + (tid + 1) % BLOCK];
  }
  g_odata[group * BLOCK + tid] = h;
}
