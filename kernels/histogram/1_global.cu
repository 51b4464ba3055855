// Histogram 1: a byte a thread, an atomic addition to device memory each.
// Source: Mordohai, CS 677, lecture 2, slide 'Example: Histogram'.
#include "histogram_args.h"
#include "entry.cuh"

XB_KERNEL void histogram(const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [count] HLSL has no bytes: a byte is taken from its word, here as well
  if (i < args.n)
    atomicAdd(&g_bins[g_idata[i / 4] >> 8 * (i % 4) & 0xff], 1u);
}

XB_ENTRIES(histogram, (const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args), (g_idata, g_bins, args))
