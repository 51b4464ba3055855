// Sort 1: a stable pass for each digit of 8 bits. The digits of each tile are counted, the counts are scanned, and each key
// goes to the place of its digit and tile, plus its rank: the equal digits before it in the tile (multisplit: Ashkiani and
// others, "GPU Multisplit", 2016).
// Source: ours; none of the documents has it.
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

XB_KERNEL void sort(const uint *__restrict__ g_keys, const uint *__restrict__ g_values, uint *g_okeys,
                    uint *g_ovalues, const uint *__restrict__ g_places, xb_sort_args args)
{
  const uint TILE = SORT_TILE(BLOCK), TEAMS = BLOCK / SORT_TEAM, KEYS = SORT_KEYS(BLOCK), MASKS = TEAMS * SORT_DIGITS;
  __shared__ uint counts[2 * MASKS]; // for each team of its digits, then masks of the threads that have one

  const uint tile = XB_GROUP_INDEX(blockIdx, args.grid_x);
  uint d, k;
  for (d = threadIdx.x; d < 2 * MASKS; d += BLOCK)
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

  // [rank] the keys of the team with this digit that come before. Each sets its bit in the digit's mask, and the last of
  // them counts. Digit and rank share a word, as registers are few. HLSL has no __syncwarp: its group waits
  uint rank[KEYS];
  for (k = 0; k < KEYS; k++) {
    const uint digit = digit_of<T>(key[k], args.pass), at = team * SORT_DIGITS + digit;
    atomicOr(&counts[MASKS + at], 1u << place);
    __syncwarp();
    const uint peers = counts[MASKS + at], before = counts[at];
    __syncwarp();
    if (peers >> place == 1) {
      counts[at] = before + __popc(peers);
      counts[MASKS + at] = 0;
    }
    __syncwarp();
    rank[k] = digit << 16 | before + __popc(peers & (1u << place) - 1);
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
