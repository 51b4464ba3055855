// Counts the digits of all passes at once, for rung 3.
// Source: ours; none of the documents has it.
#include "sort_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_keys : register(t0);
[[vk::binding(1, 0)]] RWByteAddressBuffer g_totals : register(u0); // a row of digits for each pass
XB_ARGS(xb_sort_args);

static const uint KEYS = SORT_KEYS(BLOCK);

groupshared uint counts[SORT_PASSES * SORT_DIGITS];

uint order_of(uint bits)
{
#if defined(XB_FLOAT32)
  return SORT_ORDER_FLOAT32(bits);
#else
  return SORT_ORDER_INT32(bits);
#endif
}

[numthreads(BLOCK, 1, 1)]
void sort(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  uint d, k;
  for (d = tid; d < SORT_PASSES * SORT_DIGITS; d += BLOCK)
    counts[d] = 0;
  GroupMemoryBarrierWithGroupSync();

  // [count] some loads at a time, as registers are few
  for (k = 0; k < SORT_TOTALS_KEYS; k += KEYS) {
    const uint first = (group * SORT_TOTALS_KEYS + k) * BLOCK + tid;
    uint key[KEYS], e;
    [unroll] for (e = 0; e < KEYS; e++) {
      key[e] = 0;
      if (first + e * BLOCK < args.n)
        key[e] = g_keys[first + e * BLOCK];
    }
    [unroll] for (e = 0; e < KEYS; e++)
      if (first + e * BLOCK < args.n)
        [unroll] for (uint pass = 0; pass < SORT_PASSES; pass++) {
          const uint place = pass * SORT_DIGITS + (order_of(key[e]) >> SORT_DIGIT_BITS * pass & SORT_DIGITS - 1);
          InterlockedAdd(counts[place], 1u);
        }
  }
  GroupMemoryBarrierWithGroupSync();

  // [write]
  for (d = tid; d < SORT_PASSES * SORT_DIGITS; d += BLOCK)
    if (counts[d])
      g_totals.InterlockedAdd(4 * d, counts[d]);
}
