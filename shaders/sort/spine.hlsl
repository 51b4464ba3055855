// For each digit and tile: where the first of these keys goes. A wave has a digit: it adds up the counts of all smaller
// digits, then those of the tiles before each tile.
// Source: ours; none of the documents has it.
#include "sort_args.h"

[[vk::binding(0, 0)]] RWStructuredBuffer<uint> g_counts : register(u0);
[[vk::binding(1, 0)]] StructuredBuffer<uint> g_totals : register(t0);
XB_ARGS(xb_sort_args);

static const uint KEYS = SORT_KEYS(BLOCK);

groupshared uint waves;

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
  if (threadIdx.x == 0)
    waves = 0;
  GroupMemoryBarrierWithGroupSync();

  // [place] HLSL has no index of the wave in the group, so each wave draws one
  uint wave = 0;
  if (WaveIsFirstLane())
    InterlockedAdd(waves, 1u, wave);
  wave = WaveReadLaneFirst(wave);
  const uint lanes = WaveGetLaneCount(), lane = WaveGetLaneIndex();
  const uint digit = XB_GROUP_INDEX(groupIdx, args.grid_x) * (BLOCK / lanes) + wave;
  if (digit >= SORT_DIGITS)
    return;

  // [smaller digits]
  uint before = 0, d, k;
  for (d = lane; d < digit; d += lanes)
    before += g_totals[args.pass * SORT_DIGITS + d];
  before = WaveActiveSum(before);

  // [scan] each lane has neighbours, as each thread in scan/spine
  for (uint first = 0; first < args.tiles; first += lanes * KEYS) {
    const uint mine = first + lane * KEYS, row = digit * args.tiles;
    uint v[KEYS], sum = 0;
    [unroll] for (k = 0; k < KEYS; k++) {
      v[k] = 0;
      if (mine + k < args.tiles)
        v[k] = g_counts[row + mine + k];
      sum += v[k];
    }
    const uint scanned = wave_scan(sum, lane, lanes);
    uint place = before + scanned - sum;
    before += WaveReadLaneAt(scanned, lanes - 1);
    [unroll] for (k = 0; k < KEYS; k++) {
      if (mine + k < args.tiles)
        g_counts[row + mine + k] = place;
      place += v[k];
    }
  }
}
