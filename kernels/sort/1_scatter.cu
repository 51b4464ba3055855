// Sort 1: a stable pass for each digit of 8 bits. The digits of each tile are counted, the counts are scanned, and each key
// goes to the place of its digit and tile, plus its rank: the equal digits before it in the tile (multisplit: Ashkiani and
// others, "GPU Multisplit", 2016).
#include "sort_args.h"
#define XB_RESIDENT_GROUPS(block) (1024 / (block)) // more registers would leave fewer threads
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

// The equal digits before this one in the team, which counts them too: a warp is a team, so it asks its lanes, and the last of
// these adds for all.
__device__ __forceinline__ uint rank_of(uint *counts, uint digit, uint team, uint place)
{
  const uint at = team * SORT_DIGITS + digit;
  uint peers = 0xffffffffu, before = 0;
  for (uint b = 0; b < SORT_DIGIT_BITS; b++) {
    const bool set = digit >> b & 1;
    const uint with = __ballot_sync(0xffffffffu, set);
    peers &= set ? with : ~with;
  }
  if (peers >> place == 1)
    before = atomicAdd(&counts[at], __popc(peers));
  before = __shfl_sync(0xffffffffu, before, 31 - __clz(peers));
  __syncwarp(); // this key is counted before the next one
  return before + __popc(peers & (1u << place) - 1);
}

XB_KERNEL void sort(const uint *__restrict__ g_keys, const uint *__restrict__ g_values, uint *g_okeys,
                    uint *g_ovalues, const uint *__restrict__ g_places, xb_sort_args args)
{
  const uint TILE = SORT_TILE(BLOCK), TEAMS = BLOCK / SORT_TEAM, KEYS = SORT_KEYS(BLOCK), COUNTS = TEAMS * SORT_DIGITS;
  __shared__ uint counts[COUNTS]; // for each team of its digits

  const uint tile = XB_GROUP_INDEX(blockIdx, args.grid_x);
  uint d, k;
  for (d = threadIdx.x; d < COUNTS; d += BLOCK)
    counts[d] = 0;
  __syncthreads();

  // [place] in CUDA the index of a thread tells its warp
  const uint tid = threadIdx.x, team = tid / SORT_TEAM, place = tid % SORT_TEAM;

  // [load] a team has neighbours, and a wave reads them side by side
  const uint first = tile * TILE + team * SORT_TEAM * KEYS + place;
  uint key[KEYS];
  for (k = 0; k < KEYS; k++) {
    key[k] = SORT_LAST_KEY;
    if (first + k * SORT_TEAM < args.n)
      key[k] = g_keys[first + k * SORT_TEAM];
  }

  // [rank] digit and rank share a word, as registers are few
  uint rank[KEYS];
  for (k = 0; k < KEYS; k++) {
    const uint digit = digit_of<T>(key[k], args.pass);
    rank[k] = digit << 16 | rank_of(counts, digit, team, place);
  }
  __syncthreads();

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
  __syncthreads();

  // [write]
  for (k = 0; k < KEYS; k++)
    if (first + k * SORT_TEAM < args.n) {
      const uint to = counts[team * SORT_DIGITS + (rank[k] >> 16)] + (rank[k] & 0xffff);
      g_okeys[to] = key[k];
      if (args.values)
        g_ovalues[to] = g_values[first + k * SORT_TEAM];
    }
}

XB_ENTRIES(sort,
           (const uint *__restrict__ g_keys, const uint *__restrict__ g_values, uint *g_okeys, uint *g_ovalues,
            const uint *__restrict__ g_places, xb_sort_args args),
           (g_keys, g_values, g_okeys, g_ovalues, g_places, args))
