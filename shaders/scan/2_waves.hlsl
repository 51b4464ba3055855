// Scan 2: inside each wave by shuffles (Kogge and Stone's network), then the waves.
// Source: ours; none of the documents has it.
#include "scan_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> g_sums : register(u1); // one for each tile
XB_ARGS(xb_scan_args);

groupshared T totals[BLOCK]; // one slot per wave
groupshared uint waves;

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

[numthreads(BLOCK, 1, 1)]
void scan(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tile = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (threadIdx.x == 0)
    waves = 0;
  GroupMemoryBarrierWithGroupSync();

  // [place] HLSL has no index of the wave in the group, so each wave draws one. All waves are full: its row asks for it
  uint wave = 0;
  if (WaveIsFirstLane())
    InterlockedAdd(waves, 1u, wave);
  wave = WaveReadLaneFirst(wave);
  const uint lanes = WaveGetLaneCount(), lane = WaveGetLaneIndex();
  const uint i = tile * BLOCK + wave * lanes + lane;

  // [load]
  T x = 0;
  if (i < args.n)
    x = g_idata[i];

  // [scan] the wave; then the sums of the waves before it
  T sum = wave_scan(x, lane, lanes);
  if (lane == lanes - 1)
    totals[wave] = sum;
  GroupMemoryBarrierWithGroupSync();
  T before = 0, total = 0;
  for (uint w = 0; w < waves; w++) {
    if (w < wave)
      before += totals[w];
    total += totals[w];
  }
  T below = WaveReadLaneAt(sum, lane > 0 ? lane - 1 : 0); // all lanes take part: an inactive one has no value to read
  if (lane == 0)
    below = 0;

  // [write]
  if (i < args.n)
    g_odata[i] = before + (args.exclusive ? below : sum);
  if (threadIdx.x == 0 && tile * BLOCK < args.n)
    g_sums[args.first_tile + tile] = total;
}
