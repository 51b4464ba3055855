// Sort 2: rung 1, but the keys of a tile are sorted in shared memory first, so that neighbours write neighbours.
#include "sort_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_keys : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_values : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> g_okeys : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<uint> g_ovalues : register(u1);
[[vk::binding(4, 0)]] StructuredBuffer<uint> g_places : register(t2); // of each digit and tile, see spine
XB_ARGS(xb_sort_args);

static const uint TILE = BLOCK * SORT_KEYS, TEAMS = BLOCK / SORT_TEAM;

groupshared uint sdata[TILE]; // the digits of each team are counted, then the sorted tile lies here
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

// The lanes whose keys have the same digit, one ballot for each bit.
uint peers_of(uint digit)
{
  uint peers = 0xffffffffu >> (32 - WaveGetLaneCount());
  [unroll] for (uint b = 0; b < SORT_DIGIT_BITS; b++) {
    const bool bit = (digit >> b & 1) != 0;
    const uint with = WaveActiveBallot(bit).x;
    peers &= bit ? with : ~with;
  }
  return peers;
}

// The sum of the lanes up to this one. WavePrefixSum is not used: glslang makes an inclusive scan of it.
uint wave_scan(uint x)
{
  const uint lane = WaveGetLaneIndex();
  for (uint d = 1; d < WaveGetLaneCount(); d *= 2) {
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
  for (i = threadIdx.x; i < TEAMS * SORT_DIGITS; i += BLOCK)
    sdata[i] = 0;
  if (threadIdx.x == 0)
    waves = 0;
  GroupMemoryBarrierWithGroupSync();

  // [place] HLSL has no index of the wave in the group, so each wave draws one. All waves are full: the plan asks for it
  uint wave = 0;
  if (WaveIsFirstLane())
    InterlockedAdd(waves, 1u, wave);
  wave = WaveReadLaneFirst(wave);
  const uint lanes = WaveGetLaneCount(), lane = WaveGetLaneIndex(), tid = wave * lanes + lane;
  const uint team = tid / SORT_TEAM, turns = SORT_TEAM / lanes, turn = wave % turns;

  // [load] a team has neighbours, and a wave reads them side by side
  const uint first = tile * TILE + team * SORT_TEAM * SORT_KEYS + tid % SORT_TEAM;
  uint key[SORT_KEYS];
  [unroll] for (k = 0; k < SORT_KEYS; k++) {
    key[k] = SORT_LAST_KEY;
    if (first + k * SORT_TEAM < args.n)
      key[k] = g_keys[first + k * SORT_TEAM];
  }

  // [rank] the keys of the team with this digit that come before. Waves smaller than a team take turns. Digit and rank share
  // a word, as registers are few
  uint rank[SORT_KEYS];
  [unroll] for (k = 0; k < SORT_KEYS; k++) {
    const uint digit = digit_of(key[k]), peers = peers_of(digit), leader = firstbitlow(peers);
    uint before = 0;
    for (uint t = 0; t < turns; t++) {
      if (t == turn && lane == leader)
        InterlockedAdd(sdata[team * SORT_DIGITS + digit], countbits(peers), before);
      if (turns > 1) // else the order of a wave's atomics is that of the code: seen on all devices, promised by none
        GroupMemoryBarrierWithGroupSync();
    }
    rank[k] = digit << 16 | WaveReadLaneAt(before, leader) + countbits(peers & (1u << lane) - 1);
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
  const uint scanned = wave_scan(count);
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
  [unroll] for (k = 0; k < SORT_KEYS; k++)
    rank[k] = sdata[team * SORT_DIGITS + (rank[k] >> 16)] + (rank[k] & 0xffff);
  GroupMemoryBarrierWithGroupSync();
  [unroll] for (k = 0; k < SORT_KEYS; k++)
    sdata[rank[k]] = key[k];
  GroupMemoryBarrierWithGroupSync();

  // [write] keys behind the last one are the last of the last tile
  uint to[SORT_KEYS];
  const uint keys = min(TILE, args.n - tile * TILE);
  [unroll] for (k = 0; k < SORT_KEYS; k++) {
    const uint j = k * BLOCK + tid, bits = sdata[j];
    to[k] = places[digit_of(bits)] + j;
    if (j < keys)
      g_okeys[to[k]] = bits;
  }
  if (!args.values)
    return;

  // [values] the same way
  GroupMemoryBarrierWithGroupSync();
  [unroll] for (k = 0; k < SORT_KEYS; k++)
    if (first + k * SORT_TEAM < args.n)
      sdata[rank[k]] = g_values[first + k * SORT_TEAM];
  GroupMemoryBarrierWithGroupSync();
  [unroll] for (k = 0; k < SORT_KEYS; k++) {
    const uint j = k * BLOCK + tid;
    if (j < keys)
      g_ovalues[to[k]] = sdata[j];
  }
}
