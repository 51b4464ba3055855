// Histogram 5: a key a thread, an atomic addition to device memory each.
// Source: ours; none of the documents has it.
#include "histogram_args.h"
#include "entry.cuh"

XB_KERNEL void histogram(const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [count]
  if (i < args.n)
    atomicAdd(&g_bins[g_idata[i] >> 16], 1u);
}

XB_ENTRIES(histogram, (const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args), (g_idata, g_bins, args))
