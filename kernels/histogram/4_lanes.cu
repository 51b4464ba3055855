// Histogram 4: 32 copies of the histogram. The counters of a bin lie side by side, so that each thread of 32 counts in
// a bank of its own: without conflicts, whatever the bytes are. The copy is tid % 32, which need not be the lane: then
// there are conflicts, but the counts are right.
// Source: ours; none of the documents has it.

// Where a multiprocessor holds 2048 threads, that many must fit: 32 registers per thread.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000 || \
                               __CUDA_ARCH__ == 1030)
#define XB_RESIDENT_GROUPS(block) (2048 / (block))
#endif

#include "histogram_args.h"
#include "entry.cuh"

// Four bytes, in the copy of this lane.
__device__ __forceinline__ void count(uint *counters, uint lane, uint word)
{
  atomicAdd(&counters[(word & 0xff) * LANE_COPIES + lane], 1u);
  atomicAdd(&counters[(word >> 8 & 0xff) * LANE_COPIES + lane], 1u);
  atomicAdd(&counters[(word >> 16 & 0xff) * LANE_COPIES + lane], 1u);
  atomicAdd(&counters[(word >> 24) * LANE_COPIES + lane], 1u);
}

// 16 bytes.
__device__ __forceinline__ void count4(uint *counters, uint lane, uint4 v)
{
  count(counters, lane, v.x);
  count(counters, lane, v.y);
  count(counters, lane, v.z);
  count(counters, lane, v.w);
}

XB_KERNEL void histogram(const uint4 *__restrict__ g_idata4, const uint *__restrict__ g_idata, uint *g_bins,
                         xb_histogram_args args)
{
  const uint WORDS = LANE_COPIES * BYTE_BINS; // 32 KiB
  __shared__ uint counters[WORDS];

  const uint tid = threadIdx.x, lane = tid % LANE_COPIES;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [clear]
  for (uint c = tid; c < WORDS; c += BLOCK)
    counters[c] = 0;
  __syncthreads();

  // [count] 2 vectors in flight, then up to 1 more, then the last n % 16 bytes
  const uint n4 = args.n / 16, stride = args.groups * BLOCK;
  uint i = group * BLOCK + tid;
  for (; i + stride < n4; i += 2 * stride) {
    const uint4 a = g_idata4[i];
    const uint4 b = g_idata4[i + stride];
    count4(counters, lane, a);
    count4(counters, lane, b);
  }
  if (i < n4)
    count4(counters, lane, g_idata4[i]);
  const uint k = n4 * 16 + tid;
  if (group == 0 && k < args.n)
    atomicAdd(&counters[(g_idata[k / 4] >> 8 * (k % 4) & 0xff) * LANE_COPIES + lane], 1u);
  __syncthreads();

  // [add] the copies, each thread from another one on: no bank conflicts here, either. Then one atomic a bin
  for (uint bin = tid; bin < BYTE_BINS; bin += BLOCK) {
    uint sum = 0;
#pragma unroll 8 // nvcc would unroll all 32, which do not fit into the registers; HLSL leaves it to the driver
    for (uint c = 0; c < LANE_COPIES; c++)
      sum += counters[bin * LANE_COPIES + (lane + c) % LANE_COPIES];
    if (sum > 0)
      atomicAdd(&g_bins[bin], sum);
  }
}

XB_ENTRIES(histogram,
           (const uint4 *__restrict__ g_idata4, const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args),
           (g_idata4, g_idata, g_bins, args))
