// Histogram 4: 32 copies of the histogram. The counters of a bin lie side by side, so that each thread of 32 counts in
// a bank of its own: without conflicts, whatever the bytes are. The copy is tid % 32, which need not be the lane: then
// there are conflicts, but the counts are right.
// Source: ours; none of the documents has it.
#include "histogram_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_bins : register(u0);
XB_ARGS(xb_histogram_args);

static const uint WORDS = LANE_COPIES * BYTE_BINS; // 32 KiB
groupshared uint counters[WORDS];

// Four bytes, in the copy of this lane.
void count(uint lane, uint word)
{
  InterlockedAdd(counters[(word & 0xff) * LANE_COPIES + lane], 1u);
  InterlockedAdd(counters[(word >> 8 & 0xff) * LANE_COPIES + lane], 1u);
  InterlockedAdd(counters[(word >> 16 & 0xff) * LANE_COPIES + lane], 1u);
  InterlockedAdd(counters[(word >> 24) * LANE_COPIES + lane], 1u);
}

// 16 bytes.
void count4(uint lane, uint4 v)
{
  count(lane, v.x);
  count(lane, v.y);
  count(lane, v.z);
  count(lane, v.w);
}

[numthreads(BLOCK, 1, 1)]
void histogram(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, lane = tid % LANE_COPIES;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [clear]
  for (uint c = tid; c < WORDS; c += BLOCK)
    counters[c] = 0;
  GroupMemoryBarrierWithGroupSync();

  // [count] 2 vectors in flight, then up to 1 more, then the last n % 16 bytes
  const uint n4 = args.n / 16, stride = args.groups * BLOCK;
  uint i = group * BLOCK + tid;
  for (; i + stride < n4; i += 2 * stride) {
    const uint4 a = g_idata4[i];
    const uint4 b = g_idata4[i + stride];
    count4(lane, a);
    count4(lane, b);
  }
  if (i < n4)
    count4(lane, g_idata4[i]);
  const uint k = n4 * 16 + tid;
  if (group == 0 && k < args.n)
    InterlockedAdd(counters[(g_idata[k / 4] >> 8 * (k % 4) & 0xff) * LANE_COPIES + lane], 1u);
  GroupMemoryBarrierWithGroupSync();

  // [add] the copies, each thread from another one on: no bank conflicts here, either. Then one atomic a bin
  for (uint bin = tid; bin < BYTE_BINS; bin += BLOCK) {
    uint sum = 0;
    for (uint c = 0; c < LANE_COPIES; c++) // CUDA unrolls 8; here it is the driver that decides
      sum += counters[bin * LANE_COPIES + (lane + c) % LANE_COPIES];
    if (sum > 0)
      InterlockedAdd(g_bins[bin], sum);
  }
}
