// Scan 2: inside each wave by shuffles (Kogge and Stone's network), then the waves.
// Source: ours; none of the documents has it.
#include "scan_args.h"
#include "entry.cuh"

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

XB_KERNEL void scan(const T *__restrict__ g_idata, T *g_odata, T *g_sums, xb_scan_args args)
{
  __shared__ T totals[BLOCK / 32]; // one slot per warp

  const uint tile = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [place] in CUDA tid / 32 is the index of the warp in the group
  const uint wave = threadIdx.x / 32, waves = BLOCK / 32;
  const uint i = tile * BLOCK + threadIdx.x;

  // [load]
  T x = 0;
  if (i < args.n)
    x = g_idata[i];

  // [scan] the wave; then the sums of the waves before it
  T sum = wave_scan(x);
  if (threadIdx.x % 32 == 31)
    totals[wave] = sum;
  __syncthreads();
  T before = 0, total = 0;
  for (uint w = 0; w < waves; w++) {
    if (w < wave)
      before += totals[w];
    total += totals[w];
  }
  const uint lane = threadIdx.x % 32;
  T below = __shfl_up_sync(0xffffffffu, sum, 1);
  if (lane == 0)
    below = 0;

  // [write]
  if (i < args.n)
    g_odata[i] = before + (args.exclusive ? below : sum);
  if (threadIdx.x == 0 && tile * BLOCK < args.n)
    g_sums[args.first_tile + tile] = total;
}

XB_ENTRIES(scan,
           (const T *__restrict__ g_idata, T *g_odata, T *g_sums, xb_scan_args args),
           (g_idata, g_odata, g_sums, args))
