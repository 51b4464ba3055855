// Histogram 5: rung 4 with two 16-bit counters in a word, in half the shared memory. The counters are emptied before
// one can overflow into its neighbour.

// Where a multiprocessor holds 2048 threads, that many must fit: 32 registers per thread.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000 || \
                               __CUDA_ARCH__ == 1030)
#define XB_RESIDENT_GROUPS(block) (2048 / (block))
#endif

#include "histogram_args.h"
#include "entry.cuh"

// Four bytes, in the copy of this lane: the lowest bit of a byte tells the half of the word.
__device__ __forceinline__ void count(uint *counters, uint lane, uint word)
{
  atomicAdd(&counters[(word >> 1 & 0x7f) * LANE_COPIES + lane], (word & 1) == 0 ? 1u : 0x10000u);
  atomicAdd(&counters[(word >> 9 & 0x7f) * LANE_COPIES + lane], (word >> 8 & 1) == 0 ? 1u : 0x10000u);
  atomicAdd(&counters[(word >> 17 & 0x7f) * LANE_COPIES + lane], (word >> 16 & 1) == 0 ? 1u : 0x10000u);
  atomicAdd(&counters[(word >> 25) * LANE_COPIES + lane], (word >> 24 & 1) == 0 ? 1u : 0x10000u);
}

// 16 bytes.
__device__ __forceinline__ void count4(uint *counters, uint lane, uint4 v)
{
  count(counters, lane, v.x);
  count(counters, lane, v.y);
  count(counters, lane, v.z);
  count(counters, lane, v.w);
}

// Adds the copies, each thread from another one on, to device memory.
template <uint BLOCK> __device__ __forceinline__ void add(uint *counters, uint *g_bins, uint tid)
{
  for (uint pair = tid; pair < BYTE_BINS / 2; pair += BLOCK) {
    uint low = 0, high = 0;
#pragma unroll 8 // all 32 at once would not fit into the registers
    for (uint c = 0; c < LANE_COPIES; c++) {
      const uint both = counters[pair * LANE_COPIES + (tid + c) % LANE_COPIES];
      low += both & 0xffff;
      high += both >> 16;
    }
    if (low > 0)
      atomicAdd(&g_bins[pair * 2], low);
    if (high > 0)
      atomicAdd(&g_bins[pair * 2 + 1], high);
  }
}

XB_KERNEL void histogram(const uint4 *__restrict__ g_idata4, const uint *__restrict__ g_idata, uint *g_bins,
                         xb_histogram_args args)
{
  const uint WORDS = LANE_COPIES * BYTE_BINS / 2; // 16 KiB
  const uint TURN = BLOCK / LANE_COPIES * 32;     // the most that a counter grows by in a turn
  __shared__ uint counters[WORDS];

  const uint tid = threadIdx.x, lane = tid % LANE_COPIES;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [clear]
  for (uint c = tid; c < WORDS; c += BLOCK)
    counters[c] = 0;
  __syncthreads();

  // [count] 2 vectors in flight; all threads of the group take as many turns, because they empty the counters together
  const uint n4 = args.n / 16, stride = args.groups * BLOCK;
  uint counted = 0;
  for (uint first = group * BLOCK; first < n4; first += 2 * stride) {
    if (counted > PACKED_MOST - TURN) {
      __syncthreads();
      add<BLOCK>(counters, g_bins, tid);
      __syncthreads();
      for (uint c = tid; c < WORDS; c += BLOCK)
        counters[c] = 0;
      __syncthreads();
      counted = 0;
    }
    counted += TURN;
    const uint i = first + tid;
    if (i + stride < n4) {
      const uint4 a = g_idata4[i];
      const uint4 b = g_idata4[i + stride];
      count4(counters, lane, a);
      count4(counters, lane, b);
    } else if (i < n4) {
      count4(counters, lane, g_idata4[i]);
    }
  }
  __syncthreads();

  // [add] then the last n % 16 bytes, past the counters
  add<BLOCK>(counters, g_bins, tid);
  const uint k = n4 * 16 + tid;
  if (group == 0 && k < args.n)
    atomicAdd(&g_bins[g_idata[k / 4] >> 8 * (k % 4) & 0xff], 1u);
}

XB_ENTRIES(histogram,
           (const uint4 *__restrict__ g_idata4, const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args),
           (g_idata4, g_idata, g_bins, args))
