// Constants 1: the table is in a storage buffer.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.6.
#include "constants_args.h"
#include "entry.cuh"

XB_KERNEL void constants(const uint *__restrict__ g_table, uint *g_odata, xb_constants_args args)
{
  const uint t = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (t >= args.n)
    return;

  // [walk] the low half of a word is the place of the next one, the rest is random
  uint at = t % args.addresses, sum = 0;
  for (uint step = 0; step < args.steps; step++) {
    const uint word = g_table[at];
    sum += word;
    at = word & 0xffff;
  }
  g_odata[t] = sum;
}

XB_ENTRIES(constants, (const uint *__restrict__ g_table, uint *g_odata, xb_constants_args args), (g_table, g_odata, args))
