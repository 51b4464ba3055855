// Histogram 3: a copy of the histogram for each 32 threads, so that fewer threads meet at a counter; 16-byte loads.
// Source: ours; none of the documents has it.
#include "histogram_args.h"
#include "entry.cuh"

// Four bytes, in the copy that begins at `first`.
__device__ __forceinline__ void count(uint *counters, uint first, uint word)
{
  atomicAdd(&counters[first + (word & 0xff)], 1u);
  atomicAdd(&counters[first + (word >> 8 & 0xff)], 1u);
  atomicAdd(&counters[first + (word >> 16 & 0xff)], 1u);
  atomicAdd(&counters[first + (word >> 24)], 1u);
}

XB_KERNEL void histogram(const uint4 *__restrict__ g_idata4, const uint *__restrict__ g_idata, uint *g_bins,
                         xb_histogram_args args)
{
  const uint WORDS = BLOCK / 32 * BYTE_BINS; // of all copies
  __shared__ uint counters[WORDS];

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [clear]
  for (uint c = tid; c < WORDS; c += BLOCK)
    counters[c] = 0;
  __syncthreads();

  // [count] 16 bytes a turn, then the last n % 16. In HLSL 32 threads need not be a wave: no result depends on it
  const uint first = tid / 32 * BYTE_BINS;
  for (uint i = group * BLOCK + tid; i < args.n / 16; i += args.groups * BLOCK) {
    const uint4 v = g_idata4[i];
    count(counters, first, v.x);
    count(counters, first, v.y);
    count(counters, first, v.z);
    count(counters, first, v.w);
  }
  const uint k = args.n / 16 * 16 + tid;
  if (group == 0 && k < args.n)
    atomicAdd(&counters[g_idata[k / 4] >> 8 * (k % 4) & 0xff], 1u);
  __syncthreads();

  // [add] the copies, then one atomic a bin
  for (uint bin = tid; bin < BYTE_BINS; bin += BLOCK) {
    uint sum = 0;
    for (uint c = bin; c < WORDS; c += BYTE_BINS)
      sum += counters[c];
    if (sum > 0)
      atomicAdd(&g_bins[bin], sum);
  }
}

XB_ENTRIES(histogram,
           (const uint4 *__restrict__ g_idata4, const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args),
           (g_idata4, g_idata, g_bins, args))
