// Histogram 6: 65,536 counters do not fit into the shared memory that every device has, even with 16 bits each. So
// neighbouring groups read the same keys, and each counts those in its range of the bins.
// Source: ours; none of the documents has it.
#include "histogram_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_bins : register(u0);
XB_ARGS(xb_histogram_args);

groupshared uint counters[RANGE_BINS / 2]; // CUDA sizes them at launch, for row 7, which has four times as many

// Adds to the counter of `bin` in this group's range, which is half a word. A counter that reaches EMPTY_AT gives that
// many to device memory, so it never overflows into its neighbour.
void count(uint first_bin, uint bins, uint bin, uint amount)
{
  const uint b = bin - first_bin;
  if (b >= bins)
    return;
  const uint shift = b % 2 * 16;
  uint old;
  InterlockedAdd(counters[b / 2], amount << shift, old);
  old = old >> shift & 0xffff;
  if (old < EMPTY_AT && old + amount >= EMPTY_AT) {
    InterlockedAdd(counters[b / 2], 0u - (uint(EMPTY_AT) << shift));
    InterlockedAdd(g_bins[bin], uint(EMPTY_AT));
  }
}

[numthreads(BLOCK, 1, 1)]
void histogram(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;
  const uint ranges = KEY_BINS / args.bins, first_bin = group % ranges * args.bins;

  // [clear]
  for (uint w = tid; w < args.bins / 2; w += BLOCK)
    counters[w] = 0;
  GroupMemoryBarrierWithGroupSync();

  // [count] 4 vectors in flight. Equal neighbours are counted at once: the keys of a thread, or those of a wave. The
  // barrier bounds what a counter gets between reaching EMPTY_AT and being emptied
  const uint lanes = WaveActiveCountBits(true); // CUDA: 32
  const uint n4 = args.n / 4, stride = args.groups / ranges * BLOCK;
  for (uint first = group / ranges * BLOCK; first < n4; first += 4 * stride) {
    uint4 v[4];
    uint k;
    [unroll] for (k = 0; k < 4; k++) {
      v[k] = 0;
      if (first + k * stride + tid < n4)
        v[k] = g_idata4[first + k * stride + tid];
    }
    [unroll] for (k = 0; k < 4; k++) {
      const bool mine = first + k * stride + tid < n4;
      const uint a = v[k].x >> 16, b = v[k].y >> 16, c = v[k].z >> 16, d = v[k].w >> 16;
      const bool one = a == b && a == c && a == d;
      const uint of_first = WaveReadLaneFirst(a); // not inside &&: not all lanes would come to it
      if (WaveActiveAllTrue(mine && one && a == of_first)) {
        if (WaveIsFirstLane())
          count(first_bin, args.bins, a, 4 * lanes);
      } else if (mine && one) {
        count(first_bin, args.bins, a, 4u);
      } else if (mine) {
        count(first_bin, args.bins, a, 1u);
        count(first_bin, args.bins, b, 1u);
        count(first_bin, args.bins, c, 1u);
        count(first_bin, args.bins, d, 1u);
      }
    }
    GroupMemoryBarrierWithGroupSync();
  }

  // [add] then the last n % 4 keys, past the counters
  for (uint p = tid; p < args.bins / 2; p += BLOCK) {
    const uint both = counters[p];
    if ((both & 0xffff) > 0)
      InterlockedAdd(g_bins[first_bin + 2 * p], both & 0xffff);
    if (both >> 16 > 0)
      InterlockedAdd(g_bins[first_bin + 2 * p + 1], both >> 16);
  }
  const uint i = n4 * 4 + tid;
  if (group == 0 && i < args.n)
    InterlockedAdd(g_bins[g_idata[i] >> 16], 1u);
}
