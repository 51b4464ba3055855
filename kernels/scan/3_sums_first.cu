// Scan 3: the sums of all tiles come from a dispatch of their own, so the output is written once: 3 words are moved for
// each element instead of 4.
// Source: ours; none of the documents has it.
#include "scan_args.h"
#include "entry.cuh"

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

XB_KERNEL void scan(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
                    const T *g_sums, xb_scan_args args)
{
  const uint TILE4 = BLOCK * THREAD_ELEMENTS / 4; // vectors
  __shared__ T totals[BLOCK / 32]; // one slot per warp

  const uint tile = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  if (tile * TILE4 * 4 >= args.n) // a folded grid may have more groups than tiles
    return;

  // [place] in CUDA tid / 32 is the index of the warp in the group
  const uint wave = threadIdx.x / 32;

  // [load] 4 vectors per thread; a wave reads them side by side. Only the last tile is not full
  const uint lanes = 32, lane = threadIdx.x % 32;
  const uint at4 = tile * TILE4 + wave * 4 * lanes + lane;
  const bool full = (tile + 1) * TILE4 <= args.n / 4;
  T4 v[4];
  uint k;
  for (k = 0; k < 4; k++) {
    const uint i4 = at4 + k * lanes;
    if (full)
      v[k] = g_idata4[i4];
    else
      v[k] = T4{at(g_idata, 4 * i4, args.n), at(g_idata, 4 * i4 + 1, args.n), at(g_idata, 4 * i4 + 2, args.n),
                at(g_idata, 4 * i4 + 3, args.n)};
  }

  // [scan] each vector, the wave, then the sums of the waves before it
  T base[4], sum = 0;
  for (k = 0; k < 4; k++) {
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
  T before = g_sums[args.first_tile + tile];
  for (uint w = 0; w < wave; w++)
    before += totals[w];

  // [write]
  for (k = 0; k < 4; k++) {
    const uint i4 = at4 + k * lanes;
    const T others = before + base[k];
    const T4 result = T4{others, others, others, others} + (args.exclusive ? T4{0, v[k].x, v[k].y, v[k].z} : v[k]);
    if (full)
      g_odata4[i4] = result;
    else
      for (uint e = 0; e < 4; e++)
        if (4 * i4 + e < args.n)
          g_odata[4 * i4 + e] = (&result.x)[e];
  }
}

XB_ENTRIES(scan,
           (const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T4 *g_odata4, T *g_odata,
            const T *g_sums, xb_scan_args args),
           (g_idata4, g_idata, g_odata4, g_odata, g_sums, args))
