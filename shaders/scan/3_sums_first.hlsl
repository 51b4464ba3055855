// Scan 3: the sums of all tiles come from a dispatch of their own, so the output is written once: 3 words are moved for
// each element instead of 4.
// Source: ours; none of the documents has it.
#include "scan_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T4> g_odata4 : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<T> g_odata : register(u1);
[[vk::binding(4, 0)]] StructuredBuffer<T> g_sums : register(t2); // of all tiles before each tile
XB_ARGS(xb_scan_args);

static const uint TILE4 = BLOCK * THREAD_ELEMENTS / 4; // vectors

groupshared T totals[BLOCK]; // one slot per wave
groupshared uint waves;

// An element of the last tile.
T at(uint i)
{
  return i < args.n ? g_idata[i] : 0;
}

// The sum of the lanes up to this one. WavePrefixSum is not used: glslang makes an inclusive scan of it.
// Only the entry point reads `lane` and `lanes`: glslang declares them in each function that reads them, and Vulkan allows one
// declaration.
T wave_scan(T x, uint lane, uint lanes)
{
  for (uint d = 1; d < lanes; d *= 2) {
    const T below = WaveReadLaneAt(x, lane >= d ? lane - d : lane);
    if (lane >= d)
      x += below;
  }
  return x;
}

// The sum of the lanes before this one. All lanes take part: an inactive one has no value to read.
T of_lanes_before(T scanned, uint lane)
{
  const T below = WaveReadLaneAt(scanned, lane > 0 ? lane - 1 : 0);
  return lane > 0 ? below : 0;
}

[numthreads(BLOCK, 1, 1)]
void scan(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tile = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (tile * TILE4 * 4 >= args.n) // a folded grid may have more groups than tiles
    return;
  if (threadIdx.x == 0)
    waves = 0;
  GroupMemoryBarrierWithGroupSync();

  // [place] HLSL has no index of the wave in the group, so each wave draws one. All waves are full: its row asks for it
  uint wave = 0;
  if (WaveIsFirstLane())
    InterlockedAdd(waves, 1u, wave);
  wave = WaveReadLaneFirst(wave);

  // [load] 4 vectors per thread; a wave reads them side by side. Only the last tile is not full
  const uint lanes = WaveGetLaneCount(), lane = WaveGetLaneIndex();
  const uint at4 = tile * TILE4 + wave * 4 * lanes + lane;
  const bool full = (tile + 1) * TILE4 <= args.n / 4;
  T4 v[4];
  uint k;
  [unroll] for (k = 0; k < 4; k++) {
    const uint i4 = at4 + k * lanes;
    if (full)
      v[k] = g_idata4[i4];
    else
      v[k] = T4(at(4 * i4), at(4 * i4 + 1), at(4 * i4 + 2), at(4 * i4 + 3));
  }

  // [scan] each vector, the wave, then the sums of the waves before it
  T base[4], sum = 0;
  [unroll] for (k = 0; k < 4; k++) {
    v[k].y += v[k].x;
    v[k].z += v[k].y;
    v[k].w += v[k].z;
    const T scanned = wave_scan(v[k].w, lane, lanes);
    base[k] = sum + of_lanes_before(scanned, lane);
    sum += WaveReadLaneAt(scanned, lanes - 1);
  }
  if (lane == 0)
    totals[wave] = sum;
  GroupMemoryBarrierWithGroupSync();
  T before = g_sums[args.first_tile + tile];
  for (uint w = 0; w < wave; w++)
    before += totals[w];

  // [write]
  [unroll] for (k = 0; k < 4; k++) {
    const uint i4 = at4 + k * lanes;
    const T4 others = args.exclusive ? T4(0, v[k].x, v[k].y, v[k].z) : v[k];
    const T4 result = others + (before + base[k]);
    if (full)
      g_odata4[i4] = result;
    else
      [unroll] for (uint e = 0; e < 4; e++)
        if (4 * i4 + e < args.n)
          g_odata[4 * i4 + e] = result[e];
  }
}
