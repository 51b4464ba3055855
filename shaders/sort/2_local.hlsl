// Sort 2: rung 1, but the keys of a tile are sorted in shared memory first, so that neighbours write neighbours.
// Source: ours; none of the documents has it.
#include "sort_args.h"
#ifndef SORT_VALUES
#define SORT_VALUES 0
#endif

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_keys : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_values : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_okeys : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<uint> g_ovalues : register(u1);
[[vk::binding(4, 0)]] StructuredBuffer<uint> g_places : register(t2); // of each digit and tile, see spine
XB_ARGS(xb_sort_args);

static const bool VALUES = SORT_VALUES;
static const uint TILE = SORT_TILE(BLOCK), TEAMS = BLOCK / SORT_TEAM, KEYS = SORT_KEYS(BLOCK), COUNTS = TEAMS * SORT_DIGITS;

// For each team counts of its digits, then masks, twice; later, the sorted tile
groupshared uint sdata[TILE > 3 * COUNTS ? TILE : 3 * COUNTS];
groupshared uint places[SORT_DIGITS]; // where the first key of a digit goes, less its place in the tile
groupshared uint sums[SORT_DIGITS / 4]; // one slot per wave
groupshared uint waves;

uint digit_of(uint bits)
{
#if defined(XB_FLOAT32)
  return SORT_ORDER_FLOAT32(bits) >> SORT_DIGIT_BITS * args.pass & SORT_DIGITS - 1;
#else
  return SORT_ORDER_INT32(bits) >> SORT_DIGIT_BITS * args.pass & SORT_DIGITS - 1;
#endif
}

// The sum of the lanes up to this one. WavePrefixSum is not used: glslang makes an inclusive scan of it.
// Only the entry point reads `lane` and `lanes`: glslang declares them in each function that reads them, and Vulkan allows one
// declaration.
uint wave_scan(uint x, uint lane, uint lanes)
{
  for (uint d = 1; d < lanes; d *= 2) {
    const uint below = WaveReadLaneAt(x, lane >= d ? lane - d : lane);
    if (lane >= d)
      x += below;
  }
  return x;
}

[numthreads(BLOCK, 1, 1)]
void sort(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tile = XB_GROUP_INDEX(groupIdx, args.grid_x);
  uint i, k;
  if (tile >= args.tiles) // a folded grid may have more groups than tiles
    return;
  for (i = threadIdx.x; i < 3 * COUNTS; i += BLOCK)
    sdata[i] = 0;
  if (threadIdx.x == 0)
    waves = 0;
  GroupMemoryBarrierWithGroupSync();

  // [place] HLSL has no index of the wave in the group, so each wave draws one. All waves are full: its row asks for it
  uint wave = 0;
  if (WaveIsFirstLane())
    InterlockedAdd(waves, 1u, wave);
  wave = WaveReadLaneFirst(wave);
  const uint lanes = WaveGetLaneCount(), lane = WaveGetLaneIndex(), tid = wave * lanes + lane;
  const uint team = tid / SORT_TEAM, place = tid % SORT_TEAM;

  // [load] a team has neighbours, and a wave reads them side by side. Checks would take registers, so full tiles have none
  const uint first = tile * TILE + team * SORT_TEAM * KEYS + place;
  uint key[KEYS];
  if ((tile + 1) * TILE <= args.n) {
    [unroll] for (k = 0; k < KEYS; k++)
      key[k] = g_keys[first + k * SORT_TEAM];
  } else {
    [unroll] for (k = 0; k < KEYS; k++) {
      key[k] = SORT_LAST_KEY;
      if (first + k * SORT_TEAM < args.n)
        key[k] = g_keys[first + k * SORT_TEAM];
    }
  }

  // [rank] the keys of the team with this digit that come before. Each sets its bit in the digit's mask, and the last of
  // them counts. Digit and rank share a word, as registers are few. HLSL has no barrier for a wave, CUDA's __syncwarp, so
  // the group waits; with two masks, used in turn, it need not wait until one is cleared
  uint rank[KEYS];
  [unroll] for (k = 0; k < KEYS; k++) {
    const uint digit = digit_of(key[k]), at = team * SORT_DIGITS + digit, mask = (1 + k % 2) * COUNTS + at;
    InterlockedOr(sdata[mask], 1u << place);
    GroupMemoryBarrierWithGroupSync();
    const uint peers = sdata[mask], before = sdata[at];
    GroupMemoryBarrierWithGroupSync();
    if (peers >> place == 1) {
      sdata[at] = before + countbits(peers);
      sdata[mask] = 0;
    }
    rank[k] = digit << 16 | before + countbits(peers & (1u << place) - 1);
  }
  GroupMemoryBarrierWithGroupSync();

  // [scan] thread d has digit d: the counts of the teams, then of the smaller digits of its wave, then of the waves
  uint count = 0, smaller = 0;
  if (tid < SORT_DIGITS)
    for (i = 0; i < TEAMS; i++) {
      const uint of_team = sdata[i * SORT_DIGITS + tid];
      sdata[i * SORT_DIGITS + tid] = count;
      count += of_team;
    }
  const uint scanned = wave_scan(count, lane, lanes);
  if (tid < SORT_DIGITS && lane == lanes - 1)
    sums[wave] = scanned;
  GroupMemoryBarrierWithGroupSync();
  if (tid < SORT_DIGITS) {
    smaller = scanned - count;
    for (i = 0; i < wave; i++)
      smaller += sums[i];
    for (i = 0; i < TEAMS; i++)
      sdata[i * SORT_DIGITS + tid] += smaller;
    places[tid] = g_places[tid * args.tiles + tile] - smaller;
  }
  GroupMemoryBarrierWithGroupSync();

  // [sort] in shared memory
  [unroll] for (k = 0; k < KEYS; k++)
    rank[k] = sdata[team * SORT_DIGITS + (rank[k] >> 16)] + (rank[k] & 0xffff);
  GroupMemoryBarrierWithGroupSync();
  [unroll] for (k = 0; k < KEYS; k++)
    sdata[rank[k]] = key[k];

  // [load values] where the keys were, and early, so that they arrive while the group waits
  if (VALUES) {
    if ((tile + 1) * TILE <= args.n) {
      [unroll] for (k = 0; k < KEYS; k++)
        key[k] = g_values[first + k * SORT_TEAM];
    } else {
      [unroll] for (k = 0; k < KEYS; k++)
        if (first + k * SORT_TEAM < args.n)
          key[k] = g_values[first + k * SORT_TEAM];
    }
  }
  GroupMemoryBarrierWithGroupSync();

  // [write] keys behind the last one are the last of the last tile
  uint to[KEYS];
  const uint keys = min(TILE, args.n - tile * TILE);
  [unroll] for (k = 0; k < KEYS; k++) {
    const uint j = k * BLOCK + tid, bits = sdata[j];
    to[k] = places[digit_of(bits)] + j;
    if (j < keys)
      g_okeys[to[k]] = bits;
  }
  if (!VALUES)
    return;

  // [values] the same way
  GroupMemoryBarrierWithGroupSync();
  [unroll] for (k = 0; k < KEYS; k++)
    sdata[rank[k]] = key[k];
  GroupMemoryBarrierWithGroupSync();
  [unroll] for (k = 0; k < KEYS; k++) {
    const uint j = k * BLOCK + tid;
    if (j < keys)
      g_ovalues[to[k]] = sdata[j];
  }
}
