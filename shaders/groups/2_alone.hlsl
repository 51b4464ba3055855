// Groups 2: the steps of rung 1 with the thread's own operand: no shared memory, no barrier.
// Source: ours; none of the documents has it.
#include "groups_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_groups_args);

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

  // [steps] each needs the one before
  for (uint s = 0; s < args.steps; s++)
    h = h * GROUPS_FACTOR + operand;
  g_odata[group * BLOCK + tid] = h;
}
