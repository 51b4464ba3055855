// Groups 2: the steps of rung 1 with the thread's own operand: no shared memory, no barrier.
// Source: ours; none of the documents has it.
#include "groups_args.h"
#include "entry.cuh"

XB_KERNEL void groups(const uint *__restrict__ g_idata, uint *g_odata, xb_groups_args args)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
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

XB_ENTRIES(groups, (const uint *__restrict__ g_idata, uint *g_odata, xb_groups_args args), (g_idata, g_odata, args))
