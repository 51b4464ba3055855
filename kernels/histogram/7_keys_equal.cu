// Histogram 7: 4 keys a turn. Where all keys of a wave have one bin, one lane adds their number.
#include "histogram_args.h"
#include "entry.cuh"

XB_KERNEL void histogram(const uint4 *__restrict__ g_idata4, const uint *__restrict__ g_idata, uint *g_bins,
                         xb_histogram_args args)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [count] the keys of a thread, then those of the wave. All threads take as many turns: a wave decides together
  const uint lanes = 32; // HLSL: as many as the wave has
  const uint n4 = args.n / 4;
  for (uint first = group * BLOCK; first < n4; first += args.groups * BLOCK) {
    const bool mine = first + tid < n4;
    uint4 v = {};
    if (mine)
      v = g_idata4[first + tid];
    const uint a = v.x >> 16, b = v.y >> 16, c = v.z >> 16, d = v.w >> 16;
    const bool one = a == b && a == c && a == d;
    const uint of_first = __shfl_sync(0xffffffffu, a, 0); // not inside &&: not all lanes would come to it
    if (__all_sync(0xffffffffu, mine && one && a == of_first)) {
      if (tid % 32 == 0)
        atomicAdd(&g_bins[a], 4 * lanes);
    } else if (mine && one) {
      atomicAdd(&g_bins[a], 4u);
    } else if (mine) {
      atomicAdd(&g_bins[a], 1u);
      atomicAdd(&g_bins[b], 1u);
      atomicAdd(&g_bins[c], 1u);
      atomicAdd(&g_bins[d], 1u);
    }
  }

  // [rest] the last n % 4 keys
  const uint k = n4 * 4 + tid;
  if (group == 0 && k < args.n)
    atomicAdd(&g_bins[g_idata[k] >> 16], 1u);
}

XB_ENTRIES(histogram,
           (const uint4 *__restrict__ g_idata4, const uint *__restrict__ g_idata, uint *g_bins, xb_histogram_args args),
           (g_idata4, g_idata, g_bins, args))
