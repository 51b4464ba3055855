// Sort 3: one dispatch a pass (Adinets and Merrill, "Onesweep", 2022). The tile is sorted as in rung 2, but where its digits go
// is found by a look back at the tiles before, as in scan/5: a group that misses a tile for long counts that tile itself.
// Source: Adinets and Merrill, Onesweep, 2022; ours otherwise.
#include <cuda/atomic>

#include "sort_args.h"
#ifndef SORT_VALUES
#define SORT_VALUES 0
#endif
#define XB_RESIDENT_GROUPS(block) (SORT_VALUES ? 2 : 3) // more registers would leave fewer threads
#include "entry.cuh"

using state_of = cuda::atomic_ref<uint, cuda::thread_scope_device>;

__device__ __forceinline__ uint order_of(uint bits, uint)
{
  return SORT_ORDER_INT32(bits);
}

__device__ __forceinline__ uint order_of(uint bits, float)
{
  return SORT_ORDER_FLOAT32(bits);
}

template <typename T> __device__ __forceinline__ uint digit_of(uint bits, uint pass)
{
  return order_of(bits, T()) >> SORT_DIGIT_BITS * pass & SORT_DIGITS - 1;
}

// The sum of the lanes up to this one.
__device__ __forceinline__ uint wave_scan(uint x)
{
  const uint lane = threadIdx.x % 32;
  for (uint d = 1; d < 32; d *= 2) {
    const uint below = __shfl_up_sync(0xffffffffu, x, d);
    if (lane >= d)
      x += below;
  }
  return x;
}

// The word of a digit of the tile before this row. Row 0 has the counts of all smaller digits.
__device__ __forceinline__ state_of state(uint *g_states, uint row, uint digit, xb_sort_args args)
{
  return state_of(g_states[SORT_COUNTERS + (args.pass * (args.tiles + 1) + row) * SORT_DIGITS + digit]);
}

__device__ __forceinline__ void publish(uint *g_states, uint row, uint digit, uint flag, uint count, xb_sort_args args)
{
  state(g_states, row, digit, args).store(flag << SORT_STATE_SHIFT | count, cuda::memory_order_relaxed);
}

XB_KERNEL void sort(const uint *__restrict__ g_keys, const uint *__restrict__ g_values, uint *g_okeys,
                    uint *g_ovalues, uint *g_states, xb_sort_args args)
{
  const bool VALUES = SORT_VALUES;
  const uint KEYS = SORT_SWEEP_KEYS(BLOCK), TILE = BLOCK * KEYS, TEAMS = BLOCK / SORT_TEAM, COUNTS = TEAMS * SORT_DIGITS;
  const uint RANKS = (KEYS + 2) / 3, PLACES = (KEYS + 1) / 2; // words of three and of two
  __shared__ uint counts[COUNTS]; // of each team's digits
  __shared__ uint sdata[TILE > COUNTS ? TILE : COUNTS]; // for each team masks of its digits; later, the sorted tile
  __shared__ uint places[SORT_DIGITS]; // where the first key of a digit goes, less its place in the tile
  __shared__ uint sums[SORT_DIGITS / 32]; // one slot per warp
  __shared__ uint taken, missing;

  uint i, k;
  for (i = threadIdx.x; i < COUNTS; i += BLOCK)
    sdata[i] = 0;
  for (i = threadIdx.x; i < COUNTS; i += BLOCK)
    counts[i] = 0;

  // [take] tiles are taken in order, so those before this one have been taken by groups that run
  if (threadIdx.x == 0) {
    taken = atomicAdd(&g_states[args.pass], 1u);
    missing = 0;
  }
  __syncthreads();
  const uint tile = taken, zero = missing; // it is 0, which no compiler knows: keys are read again from `first + zero`, not kept
  if (tile >= args.tiles) // a folded grid may have more groups than tiles
    return;

  // [place] in CUDA the index of a thread tells its warp and its lane
  const uint lanes = 32, tid = threadIdx.x, lane = tid % 32, wave = tid / 32;
  const uint team = tid / SORT_TEAM, place = tid % SORT_TEAM;

  // [load] a team has neighbours, and a wave reads them side by side. Checks would take registers, so full tiles have none
  const uint first = tile * TILE + team * SORT_TEAM * KEYS + place;
  uint key[KEYS];
  if ((tile + 1) * TILE <= args.n) {
    for (k = 0; k < KEYS; k++)
      key[k] = g_keys[first + k * SORT_TEAM];
  } else {
    for (k = 0; k < KEYS; k++) {
      key[k] = SORT_LAST_KEY;
      if (first + k * SORT_TEAM < args.n)
        key[k] = g_keys[first + k * SORT_TEAM];
    }
  }

  // [rank] the keys of the team with this digit that come before. Each sets its bit in the digit's mask, and the last of
  // them counts. HLSL has no __syncwarp: its group waits. Registers are few: three ranks share a word, 10 bits each, and the
  // keys end here
  uint rank[RANKS];
  for (k = 0; k < RANKS; k++)
    rank[k] = 0;
  for (k = 0; k < KEYS; k++) {
    const uint at = team * SORT_DIGITS + digit_of<T>(key[k], args.pass);
    atomicOr(&sdata[at], 1u << place);
    __syncwarp();
    const uint peers = sdata[at], before = counts[at];
    __syncwarp();
    if (peers >> place == 1) {
      counts[at] = before + __popc(peers);
      sdata[at] = 0;
    }
    __syncwarp();
    rank[k / 3] |= (before + __popc(peers & (1u << place) - 1)) << 10 * (k % 3);
  }
  __syncthreads();

  // [scan] thread d has digit d: the counts of the teams, then of the smaller digits of its wave, then of the waves
  uint count = 0, smaller = 0;
  if (tid < SORT_DIGITS) {
    for (i = 0; i < TEAMS; i++) {
      const uint of_team = counts[i * SORT_DIGITS + tid];
      counts[i * SORT_DIGITS + tid] = count;
      count += of_team;
    }
    publish(g_states, tile + 1, tid, SORT_STATE_TILE, count, args);
  }
  const uint scanned = wave_scan(count);
  if (tid < SORT_DIGITS && lane == lanes - 1)
    sums[wave] = scanned;
  __syncthreads();
  if (tid < SORT_DIGITS) {
    smaller = scanned - count;
    for (i = 0; i < wave; i++)
      smaller += sums[i];
    for (i = 0; i < TEAMS; i++)
      counts[i * SORT_DIGITS + tid] += smaller;
  }
  __syncthreads();

  // [sort] in shared memory, while other groups count their tiles. The keys are read again, from the cache
  uint to[KEYS], at[PLACES];
  for (k = 0; k < PLACES; k++)
    at[k] = 0;
  if ((tile + 1) * TILE <= args.n) {
    for (k = 0; k < KEYS; k++) {
      const uint bits = g_keys[first + zero + k * SORT_TEAM];
      const uint j = counts[team * SORT_DIGITS + digit_of<T>(bits, args.pass)] + (rank[k / 3] >> 10 * (k % 3) & 0x3ff);
      sdata[j] = bits;
      at[k / 2] |= j << 16 * (k % 2);
    }
  } else {
    for (k = 0; k < KEYS; k++) {
      uint bits = SORT_LAST_KEY;
      if (first + k * SORT_TEAM < args.n)
        bits = g_keys[first + zero + k * SORT_TEAM];
      const uint j = counts[team * SORT_DIGITS + digit_of<T>(bits, args.pass)] + (rank[k / 3] >> 10 * (k % 3) & 0x3ff);
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
      for (k = 0; k < SORT_LOOKS; k++)
        seen[k] = state(g_states, row - min(k, row), tid, args).load(cuda::memory_order_relaxed);
      for (k = 0; k < SORT_LOOKS; k++)
        if (open && from - k == row && seen[k] >> SORT_STATE_SHIFT) { // not behind one that is missing
          before += seen[k] & (1u << SORT_STATE_SHIFT) - 1;
          open = seen[k] >> SORT_STATE_SHIFT == SORT_STATE_TILE;
          row--;
        }
    }
    if (open)
      atomicMax(&missing, row);
    __syncthreads();
    const uint last = missing;
    if (last == 0)
      break;

    // [fall back] count the last tile that is missing; it is full, as it is before this one
    if (tid < SORT_DIGITS)
      places[tid] = 0;
    __syncthreads();
    if (tid == 0)
      missing = 0;
    for (k = 0; k < KEYS; k++)
      atomicAdd(&places[digit_of<T>(g_keys[(last - 1) * TILE + k * BLOCK + tid], args.pass)], 1u);
    __syncthreads();
    if (open && row == last) {
      before += places[tid];
      row--;
    }
  }
  if (tid < SORT_DIGITS) {
    publish(g_states, tile + 1, tid, SORT_STATE_ALL, before + count, args);
    places[tid] = before - smaller;
  }
  __syncthreads();

  // [write] keys behind the last one are the last of the last tile
  const uint keys = min(TILE, args.n - tile * TILE);
  for (k = 0; k < KEYS; k++) {
    const uint j = k * BLOCK + tid, bits = sdata[j];
    to[k] = places[digit_of<T>(bits, args.pass)] + j;
    if (j < keys)
      g_okeys[to[k]] = bits;
  }
  if (!VALUES)
    return;

  // [values] the same way: where their keys were
  __syncthreads();
  if ((tile + 1) * TILE <= args.n) {
    for (k = 0; k < KEYS; k++)
      sdata[at[k / 2] >> 16 * (k % 2) & 0xffff] = g_values[first + k * SORT_TEAM];
  } else {
    for (k = 0; k < KEYS; k++)
      if (first + k * SORT_TEAM < args.n)
        sdata[at[k / 2] >> 16 * (k % 2) & 0xffff] = g_values[first + k * SORT_TEAM];
  }
  __syncthreads();
  for (k = 0; k < KEYS; k++) {
    const uint j = k * BLOCK + tid;
    if (j < keys)
      g_ovalues[to[k]] = sdata[j];
  }
}

XB_ENTRIES(sort,
           (const uint *__restrict__ g_keys, const uint *__restrict__ g_values, uint *g_okeys, uint *g_ovalues,
            uint *g_states, xb_sort_args args),
           (g_keys, g_values, g_okeys, g_ovalues, g_states, args))
