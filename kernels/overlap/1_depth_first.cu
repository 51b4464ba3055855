// Overlap: work on the bits of each element of a chunk, for a time that the arguments choose.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.1.2.
#include "entry.cuh"
#include "overlap_args.h"

XB_KERNEL void overlap(const uint *__restrict__ g_idata, uint *g_odata, xb_overlap_args args)
{
  for (uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; i < args.n; i += args.threads) {
    uint x = g_idata[i];

    // [turns] each needs the one before
    for (uint turn = 0; turn < args.turns; turn++)
      x = x * args.multiplier + args.increment;
    g_odata[i] = x;
  }
}

XB_ENTRIES(overlap, (const uint *__restrict__ g_idata, uint *g_odata, xb_overlap_args args), (g_idata, g_odata, args))
