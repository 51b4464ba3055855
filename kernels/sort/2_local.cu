// Sort 2: rung 1, but the keys of a tile are sorted in shared memory first, so that neighbours write neighbours.
// Source: ours; none of the documents has it.
#include "sort_args.h"
#ifndef SORT_VALUES
#define SORT_VALUES 0
#endif
#define XB_RESIDENT_GROUPS(block) (SORT_VALUES ? 2 : 3) // more registers would leave fewer threads
#include "entry.cuh"

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

XB_KERNEL void sort(const uint *__restrict__ g_keys, const uint *__restrict__ g_values, uint *g_okeys,
                    uint *g_ovalues, const uint *__restrict__ g_places, xb_sort_args args)
{
  const bool VALUES = SORT_VALUES;
  const uint TILE = SORT_TILE(BLOCK), TEAMS = BLOCK / SORT_TEAM, KEYS = SORT_KEYS(BLOCK), MASKS = TEAMS * SORT_DIGITS;
  // For each team counts of its digits, then masks; later, the sorted tile
  __shared__ uint sdata[TILE > 2 * MASKS ? TILE : 2 * MASKS];
  __shared__ uint places[SORT_DIGITS]; // where the first key of a digit goes, less its place in the tile
  __shared__ uint sums[SORT_DIGITS / 32]; // one slot per warp

  const uint tile = XB_GROUP_INDEX(blockIdx, args.grid_x);
  uint i, k;
  if (tile >= args.tiles) // a folded grid may have more groups than tiles
    return;
  for (i = threadIdx.x; i < 2 * MASKS; i += BLOCK)
    sdata[i] = 0;
  __syncthreads();

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
  // them counts. Digit and rank share a word, as registers are few. HLSL has no __syncwarp: its group waits
  uint rank[KEYS];
  for (k = 0; k < KEYS; k++) {
    const uint digit = digit_of<T>(key[k], args.pass), at = team * SORT_DIGITS + digit;
    atomicOr(&sdata[MASKS + at], 1u << place);
    __syncwarp();
    const uint peers = sdata[MASKS + at], before = sdata[at];
    __syncwarp();
    if (peers >> place == 1) {
      sdata[at] = before + __popc(peers);
      sdata[MASKS + at] = 0;
    }
    __syncwarp();
    rank[k] = digit << 16 | before + __popc(peers & (1u << place) - 1);
  }
  __syncthreads();

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
  __syncthreads();
  if (tid < SORT_DIGITS) {
    smaller = scanned - count;
    for (i = 0; i < wave; i++)
      smaller += sums[i];
    for (i = 0; i < TEAMS; i++)
      sdata[i * SORT_DIGITS + tid] += smaller;
    places[tid] = g_places[tid * args.tiles + tile] - smaller;
  }
  __syncthreads();

  // [sort] in shared memory
  for (k = 0; k < KEYS; k++)
    rank[k] = sdata[team * SORT_DIGITS + (rank[k] >> 16)] + (rank[k] & 0xffff);
  __syncthreads();
  for (k = 0; k < KEYS; k++)
    sdata[rank[k]] = key[k];

  // [load values] where the keys were, and early, so that they arrive while the group waits
  if (VALUES) {
    if ((tile + 1) * TILE <= args.n) {
      for (k = 0; k < KEYS; k++)
        key[k] = g_values[first + k * SORT_TEAM];
    } else {
      for (k = 0; k < KEYS; k++)
        if (first + k * SORT_TEAM < args.n)
          key[k] = g_values[first + k * SORT_TEAM];
    }
  }
  __syncthreads();

  // [write] keys behind the last one are the last of the last tile
  uint to[KEYS];
  const uint keys = min(TILE, args.n - tile * TILE);
  for (k = 0; k < KEYS; k++) {
    const uint j = k * BLOCK + tid, bits = sdata[j];
    to[k] = places[digit_of<T>(bits, args.pass)] + j;
    if (j < keys)
      g_okeys[to[k]] = bits;
  }
  if (!VALUES)
    return;

  // [values] the same way
  __syncthreads();
  for (k = 0; k < KEYS; k++)
    sdata[rank[k]] = key[k];
  __syncthreads();
  for (k = 0; k < KEYS; k++) {
    const uint j = k * BLOCK + tid;
    if (j < keys)
      g_ovalues[to[k]] = sdata[j];
  }
}

XB_ENTRIES(sort,
           (const uint *__restrict__ g_keys, const uint *__restrict__ g_values, uint *g_okeys, uint *g_ovalues,
            const uint *__restrict__ g_places, xb_sort_args args),
           (g_keys, g_values, g_okeys, g_ovalues, g_places, args))
