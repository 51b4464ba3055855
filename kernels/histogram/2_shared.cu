// Histogram 2: a group counts in shared memory, and adds its counts to device memory once.
// Source: ours; none of the documents has it.
#include "histogram_args.h"
#include "entry.cuh"

XB_KERNEL void histogram(const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args)
{
  __shared__ uint counters[BYTE_BINS];

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [clear]
  for (uint c = tid; c < BYTE_BINS; c += BLOCK)
    counters[c] = 0;
  __syncthreads();

  // [count] four bytes a turn, then the last n % 4
  for (uint i = group * BLOCK + tid; i < args.n / 4; i += args.groups * BLOCK) {
    const uint word = g_idata[i];
    atomicAdd(&counters[word & 0xff], 1u);
    atomicAdd(&counters[word >> 8 & 0xff], 1u);
    atomicAdd(&counters[word >> 16 & 0xff], 1u);
    atomicAdd(&counters[word >> 24], 1u);
  }
  if (group == 0 && tid < args.n % 4)
    atomicAdd(&counters[g_idata[args.n / 4] >> 8 * tid & 0xff], 1u);
  __syncthreads();

  // [add]
  for (uint bin = tid; bin < BYTE_BINS; bin += BLOCK)
    if (counters[bin] > 0)
      atomicAdd(&g_bins[bin], counters[bin]);
}

XB_ENTRIES(histogram, (const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args), (g_idata, g_bins, args))
