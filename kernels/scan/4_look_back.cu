// Scan 4: one dispatch. A group publishes the sum of its tile, then adds up those before it, which groups before it have
// published: decoupled look-back (Merrill and Garland 2016). It waits for groups that have begun; no API promises that
// these go on. Tiles are large: a wave looks at `lanes` tiles in a round trip to the L2 cache, which bounds tiles a second.
// Source: Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016; ours otherwise.
#include <cuda/atomic>

#include "scan_args.h"
#include "entry.cuh"

using word_of = cuda::atomic_ref<uint, cuda::thread_scope_device>;

// An element of the last tile.
template <typename T> __device__ __forceinline__ T at(const T *g_idata, uint i, uint n)
{
  return i < n ? g_idata[i] : 0;
}

// The sum of the lanes up to this one.
template <typename T> __device__ __forceinline__ T wave_scan(T x)
{
  const uint lane = threadIdx.x % 32;
  for (uint d = 1; d < 32; d *= 2) {
    const T below = __shfl_up_sync(0xffffffffu, x, d);
    if (lane >= d)
      x += below;
  }
  return x;
}

// The sum of the lanes before this one.
template <typename T> __device__ __forceinline__ T of_lanes_before(T scanned)
{
  const T below = __shfl_up_sync(0xffffffffu, scanned, 1);
  return threadIdx.x % 32 > 0 ? below : 0;
}

// A sum and its flag, in two words that are written and read one by one.
template <typename T> __device__ __forceinline__ void publish(uint *g_state, uint tile, uint flag, T sum)
{
  uint bits, *word = g_state + STATE_COUNTERS + 2 * tile;
  memcpy(&bits, &sum, sizeof bits);
  atomicExch(&word[0], flag << STATE_SHIFT | (bits & 0xffff)); // readers see it sooner than a store
  atomicExch(&word[1], flag << STATE_SHIFT | bits >> STATE_SHIFT);
}

// Returns the flag: 0 while there is no sum, or only one half of it.
template <typename T> __device__ __forceinline__ uint look(uint *g_state, uint tile, T &sum)
{
  uint *const word = g_state + STATE_COUNTERS + 2 * tile;
  const uint low = word_of(word[0]).load(cuda::memory_order_relaxed);
  const uint high = word_of(word[1]).load(cuda::memory_order_relaxed);
  const uint bits = (low & 0xffff) | high << STATE_SHIFT;
  memcpy(&sum, &bits, sizeof sum);
  return low >> STATE_SHIFT == high >> STATE_SHIFT ? low >> STATE_SHIFT : 0;
}

// The sum of all lanes.
template <typename T> __device__ __forceinline__ T wave_sum(T x)
{
  for (uint s = 16; s > 0; s >>= 1)
    x += __shfl_xor_sync(0xffffffffu, x, s);
  return x;
}

// The least value of all lanes.
__device__ __forceinline__ uint wave_min(uint x)
{
  for (uint s = 16; s > 0; s >>= 1)
    x = min(x, __shfl_xor_sync(0xffffffffu, x, s));
  return x;
}

XB_KERNEL void scan(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
                    uint *g_state, xb_scan_args args)
{
  const uint TILE4 = BLOCK * LOOK_BACK_VECTORS; // vectors
  __shared__ T totals[BLOCK / 32]; // one slot per warp
  __shared__ uint taken;
  __shared__ T of_tiles_before;

  // [take] tiles are taken in order, so those before this one have been taken by groups that run
  if (threadIdx.x == 0)
    taken = atomicAdd(&g_state[args.window], 1u);
  __syncthreads();
  const uint tile = taken, index = args.first_tile + tile;
  if (tile * TILE4 * 4 >= args.n) // a folded grid may have more groups than tiles
    return;

  // [place] in CUDA tid / 32 is the index of the warp in the group
  const uint wave = threadIdx.x / 32, waves = BLOCK / 32;

  // [load] a wave reads its vectors side by side. Only the last tile is not full
  const uint lanes = 32, lane = threadIdx.x % 32;
  const uint at4 = tile * TILE4 + wave * LOOK_BACK_VECTORS * lanes + lane;
  const bool full = (tile + 1) * TILE4 <= args.n / 4;
  T4 v[LOOK_BACK_VECTORS];
  uint k;
  for (k = 0; k < LOOK_BACK_VECTORS; k++) {
    const uint i4 = at4 + k * lanes;
    if (full)
      v[k] = __ldcs(&g_idata4[i4]); // read once: first to leave the cache. HLSL has no word for this
    else
      v[k] = T4{at(g_idata, 4 * i4, args.n), at(g_idata, 4 * i4 + 1, args.n), at(g_idata, 4 * i4 + 2, args.n),
                at(g_idata, 4 * i4 + 3, args.n)};
  }

  // [sum] each vector, the wave
  T base[LOOK_BACK_VECTORS], sum = 0;
  for (k = 0; k < LOOK_BACK_VECTORS; k++) {
    v[k].y += v[k].x;
    v[k].z += v[k].y;
    v[k].w += v[k].z;
    const T scanned = wave_scan(v[k].w);
    base[k] = sum + of_lanes_before(scanned);
    sum += __shfl_sync(0xffffffffu, scanned, 31);
  }
  if (lane == 0)
    totals[wave] = sum;
  __syncthreads();
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
      publish(g_state, index, index == 0 ? STATE_ALL_SUM : STATE_TILE_SUM, total);
    T sum_before = 0;
    for (uint end = index; end > 0;) {
      const bool mine = lane < end;
      T value = 0;
      uint flag = mine ? 0 : STATE_ALL_SUM;
      do {
        if (flag == 0)
          flag = look(g_state, end - 1 - lane, value);
      } while (__any_sync(0xffffffffu, flag == 0));
      const uint nearest = wave_min(mine && flag != STATE_ALL_SUM ? lanes : lane);
      sum_before += wave_sum<T>(mine && lane <= nearest ? value : 0);
      end = nearest < lanes ? 0 : end - lanes;
    }
    if (lane == 0) {
      if (index > 0)
        publish(g_state, index, STATE_ALL_SUM, sum_before + total);
      of_tiles_before = sum_before;
    }
  }

  __syncthreads();
  before += of_tiles_before;

  // [write]
  for (k = 0; k < LOOK_BACK_VECTORS; k++) {
    const uint i4 = at4 + k * lanes;
    const T others = before + base[k];
    const T4 result = T4{others, others, others, others} + (args.exclusive ? T4{0, v[k].x, v[k].y, v[k].z} : v[k]);
    if (full)
      __stcs(&g_odata4[i4], result); // nobody reads it here: evict it first. HLSL has no hints for caches
    else
      for (uint e = 0; e < 4; e++)
        if (4 * i4 + e < args.n)
          g_odata[4 * i4 + e] = (&result.x)[e];
  }
}

XB_ENTRIES(scan,
           (const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
            uint *g_state, xb_scan_args args),
           (g_idata4, g_idata, g_odata4, g_odata, g_state, args))
