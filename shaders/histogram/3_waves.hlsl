// Histogram 3: a copy of the histogram for each 32 threads, so that fewer threads meet at a counter; 16-byte loads.
// Source: ours; none of the documents has it.
#include "histogram_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_bins : register(u0);
XB_ARGS(xb_histogram_args);

static const uint WORDS = BLOCK / 32 * BYTE_BINS; // of all copies
groupshared uint counters[WORDS];

// Four bytes, in the copy that begins at `first`.
void count(uint first, uint word)
{
  InterlockedAdd(counters[first + (word & 0xff)], 1u);
  InterlockedAdd(counters[first + (word >> 8 & 0xff)], 1u);
  InterlockedAdd(counters[first + (word >> 16 & 0xff)], 1u);
  InterlockedAdd(counters[first + (word >> 24)], 1u);
}

[numthreads(BLOCK, 1, 1)]
void histogram(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;

  // [clear]
  for (uint c = tid; c < WORDS; c += BLOCK)
    counters[c] = 0;
  GroupMemoryBarrierWithGroupSync();

  // [count] 16 bytes a turn, then the last n % 16. In HLSL 32 threads need not be a wave: no result depends on it
  const uint first = tid / 32 * BYTE_BINS;
  for (uint i = group * BLOCK + tid; i < args.n / 16; i += args.groups * BLOCK) {
    const uint4 v = g_idata4[i];
    count(first, v.x);
    count(first, v.y);
    count(first, v.z);
    count(first, v.w);
  }
  const uint k = args.n / 16 * 16 + tid;
  if (group == 0 && k < args.n)
    InterlockedAdd(counters[g_idata[k / 4] >> 8 * (k % 4) & 0xff], 1u);
  GroupMemoryBarrierWithGroupSync();

  // [add] the copies, then one atomic a bin
  for (uint bin = tid; bin < BYTE_BINS; bin += BLOCK) {
    uint sum = 0;
    for (uint c = bin; c < WORDS; c += BYTE_BINS)
      sum += counters[c];
    if (sum > 0)
      InterlockedAdd(g_bins[bin], sum);
  }
}
