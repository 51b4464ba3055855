// Cache control 8: as row 1, through a volatile pointer.
// Source: ours; none of the documents has it.
#include "cachecontrol_args.h"
#include "entry.cuh"

XB_KERNEL void cachecontrol(const uint *g_words, uint *g_odata, xb_cachecontrol_args args)
{
  const volatile uint *g_table = g_words; // HLSL: globallycoherent

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;
  const uint i = (args.first + group) * BLOCK + tid;

  // [load] each thread loads 64 words
  uint h = 0;
  UNROLL for (uint k = 0; k < CACHECONTROL_LOADS; k++)
    h = h * CACHECONTROL_FACTOR + g_table[~(i + k * CACHECONTROL_STEP) & args.mask];
  g_odata[group * BLOCK + tid] = h;
}

XB_ENTRIES(cachecontrol, (const uint *g_words, uint *g_odata, xb_cachecontrol_args args), (g_words, g_odata, args))
