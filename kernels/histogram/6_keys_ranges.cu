// Histogram 6: 65,536 counters do not fit into the shared memory that every device has, even with 16 bits each. So
// neighbouring groups read the same keys, and each counts those in its range of the bins.
// Source: ours; none of the documents has it.
#include "histogram_args.h"
#include "entry.cuh"

// Adds to the counter of `bin` in this group's range, which is half a word. A counter that reaches EMPTY_AT gives that
// many to device memory, so it never overflows into its neighbour.
__device__ __forceinline__ void count(uint *counters, uint *g_bins, uint first_bin, uint bins, uint bin, uint amount)
{
  const uint b = bin - first_bin;
  if (b >= bins)
    return;
  const uint shift = b % 2 * 16;
  uint old = atomicAdd(&counters[b / 2], amount << shift);
  old = old >> shift & 0xffff;
  if (old < EMPTY_AT && old + amount >= EMPTY_AT) {
    atomicAdd(&counters[b / 2], 0u - (uint(EMPTY_AT) << shift));
    atomicAdd(&g_bins[bin], uint(EMPTY_AT));
  }
}

XB_KERNEL void histogram(const uint4 *__restrict__ g_idata4, const uint *__restrict__ g_idata, uint *g_bins,
                         xb_histogram_args args)
{
  extern __shared__ uint counters[]; // for row 7, which has four times as many. HLSL cannot size them at launch

  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;
  const uint ranges = KEY_BINS / args.bins, first_bin = group % ranges * args.bins;

  // [clear]
  for (uint w = tid; w < args.bins / 2; w += BLOCK)
    counters[w] = 0;
  __syncthreads();

  // [count] 4 vectors in flight. Equal neighbours are counted at once: the keys of a thread, or those of a wave. The
  // barrier bounds what a counter gets between reaching EMPTY_AT and being emptied
  const uint lanes = 32; // HLSL: as many as the wave has
  const uint n4 = args.n / 4, stride = args.groups / ranges * BLOCK;
  for (uint first = group / ranges * BLOCK; first < n4; first += 4 * stride) {
    uint4 v[4];
    uint k;
    for (k = 0; k < 4; k++) {
      v[k] = uint4{};
      if (first + k * stride + tid < n4)
        v[k] = g_idata4[first + k * stride + tid];
    }
    for (k = 0; k < 4; k++) {
      const bool mine = first + k * stride + tid < n4;
      const uint a = v[k].x >> 16, b = v[k].y >> 16, c = v[k].z >> 16, d = v[k].w >> 16;
      const bool one = a == b && a == c && a == d;
      const uint of_first = __shfl_sync(0xffffffffu, a, 0); // not inside &&: not all lanes would come to it
      if (__all_sync(0xffffffffu, mine && one && a == of_first)) {
        if (tid % 32 == 0)
          count(counters, g_bins, first_bin, args.bins, a, 4 * lanes);
      } else if (mine && one) {
        count(counters, g_bins, first_bin, args.bins, a, 4u);
      } else if (mine) {
        count(counters, g_bins, first_bin, args.bins, a, 1u);
        count(counters, g_bins, first_bin, args.bins, b, 1u);
        count(counters, g_bins, first_bin, args.bins, c, 1u);
        count(counters, g_bins, first_bin, args.bins, d, 1u);
      }
    }
    __syncthreads();
  }

  // [add] then the last n % 4 keys, past the counters
  for (uint p = tid; p < args.bins / 2; p += BLOCK) {
    const uint both = counters[p];
    if ((both & 0xffff) > 0)
      atomicAdd(&g_bins[first_bin + 2 * p], both & 0xffff);
    if (both >> 16 > 0)
      atomicAdd(&g_bins[first_bin + 2 * p + 1], both >> 16);
  }
  const uint i = n4 * 4 + tid;
  if (group == 0 && i < args.n)
    atomicAdd(&g_bins[g_idata[i] >> 16], 1u);
}

XB_ENTRIES(histogram,
           (const uint4 *__restrict__ g_idata4, const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args),
           (g_idata4, g_idata, g_bins, args))
