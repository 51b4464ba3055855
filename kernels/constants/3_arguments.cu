// Constants 3: the table is a part of the arguments.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.6.
#include "constants_args.h"
#include "entry.cuh"

// A parameter that is indexed by data would be copied to local memory first: __grid_constant__ says that nobody writes it.
XB_KERNEL void constants(uint *g_odata, const xb_constants_args &args)
{
  const uint t = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (t >= args.n)
    return;

  // [walk] the low half of a word is the place of the next one, the rest is random
  uint at = t % args.addresses, sum = 0;
  for (uint step = 0; step < args.steps; step++) {
    const uint word = args.table[at];
    sum += word;
    at = word & 0xffff;
  }
  g_odata[t] = sum;
}

XB_ENTRIES(constants, (uint *g_odata, const __grid_constant__ xb_constants_args args), (g_odata, args))
