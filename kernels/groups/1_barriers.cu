// Groups 1: in each step a thread needs what its neighbour had after the step before, so the group meets at a barrier.
// Source: NVIDIA, Optimizing CUDA, slide 'Grid/Block Size Heuristics'.
#include "groups_args.h"
#include "entry.cuh"

XB_KERNEL void groups(const uint *__restrict__ g_idata, uint *g_odata, xb_groups_args args)
{
  __shared__ uint words[2 * BLOCK];

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [load] the operand is the same in all groups, the first word is not
  const uint operand = g_idata[tid];
  uint h = operand + args.first + group;

  // [steps] words of odd and even steps lie apart, so one barrier a step is enough
  for (uint s = 0; s < args.steps; s++) {
    words[s % 2 * BLOCK + tid] = h;
    __syncthreads();
    h = h * GROUPS_FACTOR + 2 * words[s % 2 * BLOCK + (tid + 1) % BLOCK];
  }
  g_odata[group * BLOCK + tid] = h;
}

XB_ENTRIES(groups, (const uint *__restrict__ g_idata, uint *g_odata, xb_groups_args args), (g_idata, g_odata, args))
