// Scan 4: one dispatch. A group publishes the sum of its tile, then adds up those before it, which groups before it have
// published: decoupled look-back (Merrill and Garland 2016). It waits for groups that have begun; no API promises that
// these go on. Tiles are large: a wave looks at `lanes` tiles in a round trip to the L2 cache, which bounds tiles a second.
// Source: Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016; ours otherwise.
#include "scan_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T4> g_odata4 : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<T> g_odata : register(u1);
[[vk::binding(4, 0)]] RWByteAddressBuffer g_state : register(u2); // see scan_args.h; accessed by atomics only
XB_ARGS(xb_scan_args);

static const uint TILE4 = BLOCK * LOOK_BACK_VECTORS; // vectors

groupshared T totals[BLOCK]; // one slot per wave
groupshared uint waves, taken;
groupshared T of_tiles_before;

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

// A sum and its flag, in two words that are written and read one by one.
void publish(uint tile, uint flag, T sum)
{
  const uint bits = XB_BITS(sum), word = 4 * (STATE_COUNTERS + 2 * tile);
  uint old;
  g_state.InterlockedExchange(word, flag << STATE_SHIFT | (bits & 0xffff), old);
  g_state.InterlockedExchange(word + 4, flag << STATE_SHIFT | bits >> STATE_SHIFT, old);
}

// Returns the flag: 0 while there is no sum, or only one half of it.
uint look(uint tile, out T sum)
{
  const uint word = 4 * (STATE_COUNTERS + 2 * tile);
  uint low, high;
  g_state.InterlockedAdd(word, 0u, low); // HLSL has no atomic load
  g_state.InterlockedAdd(word + 4, 0u, high);
  sum = XB_FROM_BITS((low & 0xffff) | high << STATE_SHIFT);
  return low >> STATE_SHIFT == high >> STATE_SHIFT ? low >> STATE_SHIFT : 0;
}

[numthreads(BLOCK, 1, 1)]
void scan(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  // [take] tiles are taken in order, so those before this one have been taken by groups that run
  if (threadIdx.x == 0) {
    g_state.InterlockedAdd(4 * args.window, 1u, taken);
    waves = 0;
  }
  GroupMemoryBarrierWithGroupSync();
  const uint tile = taken, index = args.first_tile + tile;
  if (tile * TILE4 * 4 >= args.n) // a folded grid may have more groups than tiles
    return;

  // [place] HLSL has no index of the wave in the group, so each wave draws one. All waves are full: its row asks for it
  uint wave = 0;
  if (WaveIsFirstLane())
    InterlockedAdd(waves, 1u, wave);
  wave = WaveReadLaneFirst(wave);

  // [load] a wave reads its vectors side by side. Only the last tile is not full
  const uint lanes = WaveGetLaneCount(), lane = WaveGetLaneIndex();
  const uint at4 = tile * TILE4 + wave * LOOK_BACK_VECTORS * lanes + lane;
  const bool full = (tile + 1) * TILE4 <= args.n / 4;
  T4 v[LOOK_BACK_VECTORS];
  uint k;
  [unroll] for (k = 0; k < LOOK_BACK_VECTORS; k++) {
    const uint i4 = at4 + k * lanes;
    if (full)
      v[k] = g_idata4[i4];
    else
      v[k] = T4(at(4 * i4), at(4 * i4 + 1), at(4 * i4 + 2), at(4 * i4 + 3));
  }

  // [sum] each vector, the wave
  T base[LOOK_BACK_VECTORS], sum = 0;
  [unroll] for (k = 0; k < LOOK_BACK_VECTORS; k++) {
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
  T before = 0, total = 0;
  for (uint w = 0; w < waves; w++) {
    if (w < wave)
      before += totals[w];
    total += totals[w];
  }

  // [look back] the first wave adds up the tiles before this one, a wave's width at a time, until one of them knows the
  // sum of all before it
  if (wave == 0) {
    if (lane == 0)
      publish(index, index == 0 ? STATE_ALL_SUM : STATE_TILE_SUM, total);
    T sum_before = 0;
    for (uint end = index; end > 0;) {
      const bool mine = lane < end;
      T value = 0;
      uint flag = mine ? 0 : STATE_ALL_SUM;
      do {
        if (flag == 0)
          flag = look(end - 1 - lane, value);
      } while (WaveActiveAnyTrue(flag == 0));
      const uint nearest = WaveActiveMin(mine && flag != STATE_ALL_SUM ? lanes : lane);
      sum_before += WaveActiveSum(mine && lane <= nearest ? value : 0);
      end = nearest < lanes ? 0 : end - lanes;
    }
    if (lane == 0) {
      if (index > 0)
        publish(index, STATE_ALL_SUM, sum_before + total);
      of_tiles_before = sum_before;
    }
  }

  GroupMemoryBarrierWithGroupSync();
  before += of_tiles_before;

  // [write]
  [unroll] for (k = 0; k < LOOK_BACK_VECTORS; k++) {
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
