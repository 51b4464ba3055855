// Counts the digits of each tile, for rungs 1 and 2; and those of all tiles.
// Source: ours; none of the documents has it.
#include "sort_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_keys : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_counts : register(u0); // a row of tiles for each digit
[[vk::binding(2, 0)]] RWByteAddressBuffer g_totals : register(u1);      // a row of digits for each pass
XB_ARGS(xb_sort_args);

static const uint TILE = SORT_TILE(BLOCK), KEYS = SORT_KEYS(BLOCK);

groupshared uint counts[SORT_DIGITS];

uint digit_of(uint bits)
{
#if defined(XB_FLOAT32)
  return SORT_ORDER_FLOAT32(bits) >> SORT_DIGIT_BITS * args.pass & SORT_DIGITS - 1;
#else
  return SORT_ORDER_INT32(bits) >> SORT_DIGIT_BITS * args.pass & SORT_DIGITS - 1;
#endif
}

[numthreads(BLOCK, 1, 1)]
void sort(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, tile = XB_GROUP_INDEX(groupIdx, args.grid_x);
  uint d, k;
  for (d = tid; d < SORT_DIGITS; d += BLOCK)
    counts[d] = 0;
  GroupMemoryBarrierWithGroupSync();

  // [load]
  uint key[KEYS];
  [unroll] for (k = 0; k < KEYS; k++) {
    const uint i = tile * TILE + k * BLOCK + tid;
    key[k] = 0;
    if (i < args.n)
      key[k] = g_keys[i];
  }

  // [count]
  [unroll] for (k = 0; k < KEYS; k++)
    if (tile * TILE + k * BLOCK + tid < args.n)
      InterlockedAdd(counts[digit_of(key[k])], 1u);
  GroupMemoryBarrierWithGroupSync();

  // [write] a folded grid may have more groups than tiles
  if (tile < args.tiles)
    for (d = tid; d < SORT_DIGITS; d += BLOCK) {
      g_counts[d * args.tiles + tile] = counts[d];
      g_totals.InterlockedAdd(4 * (args.pass * SORT_DIGITS + d), counts[d]);
    }
}
