// Histogram 7: 4 keys a turn. Where all keys of a wave have one bin, one lane adds their number.
#include "histogram_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_bins : register(u0);
XB_ARGS(xb_histogram_args);

[numthreads(BLOCK, 1, 1)]
void histogram(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [count] the keys of a thread, then those of the wave. All threads take as many turns: a wave decides together
  const uint lanes = WaveActiveCountBits(true); // CUDA: 32
  const uint n4 = args.n / 4;
  for (uint first = group * BLOCK; first < n4; first += args.groups * BLOCK) {
    const bool mine = first + tid < n4;
    uint4 v = 0;
    if (mine)
      v = g_idata4[first + tid];
    const uint a = v.x >> 16, b = v.y >> 16, c = v.z >> 16, d = v.w >> 16;
    const bool one = a == b && a == c && a == d;
    const uint of_first = WaveReadLaneFirst(a); // not inside &&: not all lanes would come to it
    if (WaveActiveAllTrue(mine && one && a == of_first)) {
      if (WaveIsFirstLane())
        InterlockedAdd(g_bins[a], 4 * lanes);
    } else if (mine && one) {
      InterlockedAdd(g_bins[a], 4u);
    } else if (mine) {
      InterlockedAdd(g_bins[a], 1u);
      InterlockedAdd(g_bins[b], 1u);
      InterlockedAdd(g_bins[c], 1u);
      InterlockedAdd(g_bins[d], 1u);
    }
  }

  // [rest] the last n % 4 keys
  const uint k = n4 * 4 + tid;
  if (group == 0 && k < args.n)
    InterlockedAdd(g_bins[g_idata[k] >> 16], 1u);
}
