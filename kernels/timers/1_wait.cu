// Timers: work on the bits of each element, for a time that the arguments choose.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 8.1.
#include "entry.cuh"
#include "timers_args.h"

XB_KERNEL void timers(const uint *__restrict__ g_idata, uint *g_odata, xb_timers_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.n)
    return;
  uint x = g_idata[i];

  // [turns] each needs the one before
  for (uint turn = 0; turn < args.turns; turn++)
    x = x * args.multiplier + args.increment;
  g_odata[i] = x;
}

XB_ENTRIES(timers, (const uint *__restrict__ g_idata, uint *g_odata, xb_timers_args args), (g_idata, g_odata, args))
