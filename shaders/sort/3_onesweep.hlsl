// Sort 3: one dispatch a pass (Adinets and Merrill, "Onesweep", 2022). The tile is sorted as in rung 2, but where its digits go
// is found by a look back at the tiles before, as in scan/5: a group that misses a tile for long counts that tile itself.
// Source: Adinets and Merrill, Onesweep, 2022; ours otherwise.
// dxil: 256 (groups of 320 need more than the 32 KiB that Direct3D 12 gives a group)
#include "sort_args.h"
#ifndef SORT_VALUES
#define SORT_VALUES 0
#endif

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_keys : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_values : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_okeys : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<uint> g_ovalues : register(u1);
[[vk::binding(4, 0)]] RWByteAddressBuffer g_states : register(u2); // see sort_args.h; accessed by atomics only
XB_ARGS(xb_sort_args);

static const bool VALUES = SORT_VALUES;
static const uint KEYS = SORT_SWEEP_KEYS(BLOCK), TILE = BLOCK * KEYS, TEAMS = BLOCK / SORT_TEAM, COUNTS = TEAMS * SORT_DIGITS;
static const uint RANKS = (KEYS + 2) / 3, PLACES = (KEYS + 1) / 2; // words of three and of two

groupshared uint counts[COUNTS]; // of each team's digits
groupshared uint sdata[TILE > 2 * COUNTS ? TILE : 2 * COUNTS]; // for each team masks of its digits, twice; later, the sorted tile
groupshared uint places[SORT_DIGITS]; // where the first key of a digit goes, less its place in the tile
groupshared uint sums[SORT_DIGITS / 4]; // one slot per wave
groupshared uint waves, taken, missing;

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

// The word of a digit of the tile before this row. Row 0 has the counts of all smaller digits.
uint word_of(uint row, uint digit)
{
  return 4 * (SORT_COUNTERS + (args.pass * (args.tiles + 1) + row) * SORT_DIGITS + digit);
}

void publish(uint row, uint digit, uint flag, uint count)
{
  uint old;
  g_states.InterlockedExchange(word_of(row, digit), flag << SORT_STATE_SHIFT | count, old);
}

uint look(uint row, uint digit)
{
  uint state;
  g_states.InterlockedAdd(word_of(row, digit), 0u, state); // HLSL has no atomic load
  return state;
}

[numthreads(BLOCK, 1, 1)]
void sort(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  uint i, k;
  for (i = threadIdx.x; i < 2 * COUNTS; i += BLOCK)
    sdata[i] = 0;
  for (i = threadIdx.x; i < COUNTS; i += BLOCK)
    counts[i] = 0;

  // [take] tiles are taken in order, so those before this one have been taken by groups that run
  if (threadIdx.x == 0) {
    g_states.InterlockedAdd(4 * args.pass, 1u, taken);
    waves = 0;
    missing = 0;
  }
  GroupMemoryBarrierWithGroupSync();
  const uint tile = taken, zero = missing; // it is 0, which no compiler knows: keys are read again from `first + zero`, not kept
  if (tile >= args.tiles) // a folded grid may have more groups than tiles
    return;

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
  // them counts. HLSL has no barrier for a wave, CUDA's __syncwarp, so the group waits; with two masks, used in turn, it need
  // not wait until one is cleared. Registers are few: three ranks share a word, 10 bits each, and the keys end here
  uint rank[RANKS];
  [unroll] for (k = 0; k < RANKS; k++)
    rank[k] = 0;
  [unroll] for (k = 0; k < KEYS; k++) {
    const uint at = team * SORT_DIGITS + digit_of(key[k]), mask = k % 2 * COUNTS + at;
    InterlockedOr(sdata[mask], 1u << place);
    GroupMemoryBarrierWithGroupSync();
    const uint peers = sdata[mask], before = counts[at];
    GroupMemoryBarrierWithGroupSync();
    if (peers >> place == 1) {
      counts[at] = before + countbits(peers);
      sdata[mask] = 0;
    }
    rank[k / 3] |= (before + countbits(peers & (1u << place) - 1)) << 10 * (k % 3);
  }
  GroupMemoryBarrierWithGroupSync();

  // [scan] thread d has digit d: the counts of the teams, then of the smaller digits of its wave, then of the waves
  uint count = 0, smaller = 0;
  if (tid < SORT_DIGITS) {
    for (i = 0; i < TEAMS; i++) {
      const uint of_team = counts[i * SORT_DIGITS + tid];
      counts[i * SORT_DIGITS + tid] = count;
      count += of_team;
    }
    publish(tile + 1, tid, SORT_STATE_TILE, count);
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
      counts[i * SORT_DIGITS + tid] += smaller;
  }
  GroupMemoryBarrierWithGroupSync();

  // [sort] in shared memory, while other groups count their tiles. The keys are read again, from the cache
  uint to[KEYS], at[PLACES];
  [unroll] for (k = 0; k < PLACES; k++)
    at[k] = 0;
  if ((tile + 1) * TILE <= args.n) {
    [unroll] for (k = 0; k < KEYS; k++) {
      const uint bits = g_keys[first + zero + k * SORT_TEAM];
      const uint j = counts[team * SORT_DIGITS + digit_of(bits)] + (rank[k / 3] >> 10 * (k % 3) & 0x3ff);
      sdata[j] = bits;
      at[k / 2] |= j << 16 * (k % 2);
    }
  } else {
    [unroll] for (k = 0; k < KEYS; k++) {
      uint bits = SORT_LAST_KEY;
      if (first + k * SORT_TEAM < args.n)
        bits = g_keys[first + zero + k * SORT_TEAM];
      const uint j = counts[team * SORT_DIGITS + digit_of(bits)] + (rank[k / 3] >> 10 * (k % 3) & 0x3ff);
      sdata[j] = bits;
      at[k / 2] |= j << 16 * (k % 2);
    }
  }

  // [look back] thread d adds up digit d of the tiles before, until one of them knows the sum of all before it
  uint before = 0, row = tile;
  bool open = tid < SORT_DIGITS;
  for (;;) {
    for (uint reads = 0; open && reads < SORT_STATE_READS; reads++) {
      const uint from = row;
      uint seen[SORT_LOOKS];
      [unroll] for (k = 0; k < SORT_LOOKS; k++)
        seen[k] = look(row - min(k, row), tid);
      [unroll] for (k = 0; k < SORT_LOOKS; k++)
        if (open && from - k == row && seen[k] >> SORT_STATE_SHIFT) { // not behind one that is missing
          before += seen[k] & (1u << SORT_STATE_SHIFT) - 1;
          open = seen[k] >> SORT_STATE_SHIFT == SORT_STATE_TILE;
          row--;
        }
    }
    if (open)
      InterlockedMax(missing, row);
    GroupMemoryBarrierWithGroupSync();
    const uint last = missing;
    if (last == 0)
      break;

    // [fall back] count the last tile that is missing; it is full, as it is before this one
    if (tid < SORT_DIGITS)
      places[tid] = 0;
    GroupMemoryBarrierWithGroupSync();
    if (tid == 0)
      missing = 0;
    [unroll] for (k = 0; k < KEYS; k++)
      InterlockedAdd(places[digit_of(g_keys[(last - 1) * TILE + k * BLOCK + tid])], 1u);
    GroupMemoryBarrierWithGroupSync();
    if (open && row == last) {
      before += places[tid];
      row--;
    }
  }
  if (tid < SORT_DIGITS) {
    publish(tile + 1, tid, SORT_STATE_ALL, before + count);
    places[tid] = before - smaller;
  }
  GroupMemoryBarrierWithGroupSync();

  // [write] keys behind the last one are the last of the last tile
  const uint keys = min(TILE, args.n - tile * TILE);
  [unroll] for (k = 0; k < KEYS; k++) {
    const uint j = k * BLOCK + tid, bits = sdata[j];
    to[k] = places[digit_of(bits)] + j;
    if (j < keys)
      g_okeys[to[k]] = bits;
  }
  if (!VALUES)
    return;

  // [values] the same way: where their keys were
  GroupMemoryBarrierWithGroupSync();
  if ((tile + 1) * TILE <= args.n) {
    [unroll] for (k = 0; k < KEYS; k++)
      sdata[at[k / 2] >> 16 * (k % 2) & 0xffff] = g_values[first + k * SORT_TEAM];
  } else {
    [unroll] for (k = 0; k < KEYS; k++)
      if (first + k * SORT_TEAM < args.n)
        sdata[at[k / 2] >> 16 * (k % 2) & 0xffff] = g_values[first + k * SORT_TEAM];
  }
  GroupMemoryBarrierWithGroupSync();
  [unroll] for (k = 0; k < KEYS; k++) {
    const uint j = k * BLOCK + tid;
    if (j < keys)
      g_ovalues[to[k]] = sdata[j];
  }
}
