// Sort 1: a stable pass for each digit of 8 bits. The digits of each tile are counted, the counts are scanned, and each key
// goes to the place of its digit and tile, plus its rank: the equal digits before it in the tile (multisplit: Ashkiani and
// others, "GPU Multisplit", 2016).
// Source: ours; none of the documents has it.
#include "sort_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_keys : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_values : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_okeys : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<uint> g_ovalues : register(u1);
[[vk::binding(4, 0)]] StructuredBuffer<uint> g_places : register(t2); // of each digit and tile, see spine
XB_ARGS(xb_sort_args);

static const uint TILE = SORT_TILE(BLOCK), TEAMS = BLOCK / SORT_TEAM, KEYS = SORT_KEYS(BLOCK), COUNTS = TEAMS * SORT_DIGITS;

groupshared uint counts[3 * COUNTS]; // for each team of its digits, then masks of the threads that have one, twice
groupshared uint waves;

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
  const uint tile = XB_GROUP_INDEX(groupIdx, args.grid_x);
  uint d, k;
  for (d = threadIdx.x; d < 3 * COUNTS; d += BLOCK)
    counts[d] = 0;
  if (threadIdx.x == 0)
    waves = 0;
  GroupMemoryBarrierWithGroupSync();

  // [place] HLSL has no index of the wave in the group, so each wave draws one. All waves are full: its row asks for it
  uint wave = 0;
  if (WaveIsFirstLane())
    InterlockedAdd(waves, 1u, wave);
  wave = WaveReadLaneFirst(wave);
  const uint lanes = WaveGetLaneCount(), tid = wave * lanes + WaveGetLaneIndex();
  const uint team = tid / SORT_TEAM, place = tid % SORT_TEAM;

  // [load] a team has neighbours, and a wave reads them side by side
  const uint first = tile * TILE + team * SORT_TEAM * KEYS + place;
  uint key[KEYS];
  [unroll] for (k = 0; k < KEYS; k++) {
    key[k] = SORT_LAST_KEY;
    if (first + k * SORT_TEAM < args.n)
      key[k] = g_keys[first + k * SORT_TEAM];
  }

  // [rank] the keys of the team with this digit that come before. Each sets its bit in the digit's mask, and the last of
  // them counts. Digit and rank share a word, as registers are few. HLSL has no barrier for a wave, CUDA's __syncwarp, so
  // the group waits; with two masks, used in turn, it need not wait until one is cleared
  uint rank[KEYS];
  [unroll] for (k = 0; k < KEYS; k++) {
    const uint digit = digit_of(key[k]), at = team * SORT_DIGITS + digit, mask = (1 + k % 2) * COUNTS + at;
    InterlockedOr(counts[mask], 1u << place);
    GroupMemoryBarrierWithGroupSync();
    const uint peers = counts[mask], before = counts[at];
    GroupMemoryBarrierWithGroupSync();
    if (peers >> place == 1) {
      counts[at] = before + countbits(peers);
      counts[mask] = 0;
    }
    rank[k] = digit << 16 | before + countbits(peers & (1u << place) - 1);
  }
  GroupMemoryBarrierWithGroupSync();

  // [scan] for each digit, the places of the teams; a folded grid may have more groups than tiles
  if (tile < args.tiles)
    for (d = tid; d < SORT_DIGITS; d += BLOCK) {
      uint to = g_places[d * args.tiles + tile];
      for (uint of = 0; of < TEAMS; of++) {
        const uint count = counts[of * SORT_DIGITS + d];
        counts[of * SORT_DIGITS + d] = to;
        to += count;
      }
    }
  GroupMemoryBarrierWithGroupSync();

  // [write]
  [unroll] for (k = 0; k < KEYS; k++)
    if (first + k * SORT_TEAM < args.n) {
      const uint to = counts[team * SORT_DIGITS + (rank[k] >> 16)] + (rank[k] & 0xffff);
      g_okeys[to] = key[k];
      if (args.values)
        g_ovalues[to] = g_values[first + k * SORT_TEAM];
    }
}
