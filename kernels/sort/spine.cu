// For each digit and tile: where the first of these keys goes. A warp has a digit: it adds up the counts of all smaller
// digits, then those of the tiles before each tile.
// Source: ours; none of the documents has it.
#include "sort_args.h"
#include "entry.cuh"

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

// The sum of all lanes.
__device__ __forceinline__ uint wave_sum(uint x)
{
  for (uint s = 16; s > 0; s >>= 1)
    x += __shfl_xor_sync(0xffffffffu, x, s);
  return x;
}

XB_KERNEL void sort(uint *g_counts, const uint *__restrict__ g_totals, xb_sort_args args)
{
  const uint KEYS = SORT_KEYS(BLOCK);

  // [place] in CUDA the index of a thread tells its warp and its lane
  const uint lanes = 32, lane = threadIdx.x % 32, wave = threadIdx.x / 32;
  const uint digit = XB_GROUP_INDEX(blockIdx, args.grid_x) * (BLOCK / lanes) + wave;
  if (digit >= SORT_DIGITS)
    return;

  // [smaller digits]
  uint before = 0, d, k;
  for (d = lane; d < digit; d += lanes)
    before += g_totals[args.pass * SORT_DIGITS + d];
  before = wave_sum(before);

  // [scan] each lane has neighbours, as each thread in scan/spine
  for (uint first = 0; first < args.tiles; first += lanes * KEYS) {
    const uint mine = first + lane * KEYS, row = digit * args.tiles;
    uint v[KEYS], sum = 0;
    for (k = 0; k < KEYS; k++) {
      v[k] = 0;
      if (mine + k < args.tiles)
        v[k] = g_counts[row + mine + k];
      sum += v[k];
    }
    const uint scanned = wave_scan(sum);
    uint place = before + scanned - sum;
    before += __shfl_sync(0xffffffffu, scanned, 31);
    for (k = 0; k < KEYS; k++) {
      if (mine + k < args.tiles)
        g_counts[row + mine + k] = place;
      place += v[k];
    }
  }
}

XB_ENTRIES(sort, (uint *g_counts, const uint *__restrict__ g_totals, xb_sort_args args), (g_counts, g_totals, args))
