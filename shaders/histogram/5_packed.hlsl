// Histogram 5: rung 4 with two 16-bit counters in a word, in half the shared memory. The counters are emptied before
// one can overflow into its neighbour.
#include "histogram_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_bins : register(u0);
XB_ARGS(xb_histogram_args);

static const uint WORDS = LANE_COPIES * BYTE_BINS / 2; // 16 KiB
static const uint TURN = BLOCK / LANE_COPIES * 32; // the most that a counter grows by in a turn
groupshared uint counters[WORDS];

// Four bytes, in the copy of this lane: the lowest bit of a byte tells the half of the word.
void count(uint lane, uint word)
{
  InterlockedAdd(counters[(word >> 1 & 0x7f) * LANE_COPIES + lane], (word & 1) == 0 ? 1u : 0x10000u);
  InterlockedAdd(counters[(word >> 9 & 0x7f) * LANE_COPIES + lane], (word >> 8 & 1) == 0 ? 1u : 0x10000u);
  InterlockedAdd(counters[(word >> 17 & 0x7f) * LANE_COPIES + lane], (word >> 16 & 1) == 0 ? 1u : 0x10000u);
  InterlockedAdd(counters[(word >> 25) * LANE_COPIES + lane], (word >> 24 & 1) == 0 ? 1u : 0x10000u);
}

// 16 bytes.
void count4(uint lane, uint4 v)
{
  count(lane, v.x);
  count(lane, v.y);
  count(lane, v.z);
  count(lane, v.w);
}

// Adds the copies, each thread from another one on, to device memory.
void add(uint tid)
{
  for (uint pair = tid; pair < BYTE_BINS / 2; pair += BLOCK) {
    uint low = 0, high = 0;
    for (uint c = 0; c < LANE_COPIES; c++) {
      const uint both = counters[pair * LANE_COPIES + (tid + c) % LANE_COPIES];
      low += both & 0xffff;
      high += both >> 16;
    }
    if (low > 0)
      InterlockedAdd(g_bins[pair * 2], low);
    if (high > 0)
      InterlockedAdd(g_bins[pair * 2 + 1], high);
  }
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

  // [count] 2 vectors in flight; all threads of the group take as many turns, because they empty the counters together
  const uint n4 = args.n / 16, stride = args.groups * BLOCK;
  uint counted = 0;
  for (uint first = group * BLOCK; first < n4; first += 2 * stride) {
    if (counted > PACKED_MOST - TURN) {
      GroupMemoryBarrierWithGroupSync();
      add(tid);
      GroupMemoryBarrierWithGroupSync();
      for (uint c = tid; c < WORDS; c += BLOCK)
        counters[c] = 0;
      GroupMemoryBarrierWithGroupSync();
      counted = 0;
    }
    counted += TURN;
    const uint i = first + tid;
    if (i + stride < n4) {
      const uint4 a = g_idata4[i];
      const uint4 b = g_idata4[i + stride];
      count4(lane, a);
      count4(lane, b);
    } else if (i < n4) {
      count4(lane, g_idata4[i]);
    }
  }
  GroupMemoryBarrierWithGroupSync();

  // [add] then the last n % 16 bytes, past the counters
  add(tid);
  const uint k = n4 * 16 + tid;
  if (group == 0 && k < args.n)
    InterlockedAdd(g_bins[g_idata[k / 4] >> 8 * (k % 4) & 0xff], 1u);
}
