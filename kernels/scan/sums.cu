// The sum of each tile, for row 3.
// Source: ours; none of the documents has it.
#include "scan_args.h"
#include "entry.cuh"

XB_KERNEL void scan(const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T *g_sums, xb_scan_args args)
{
  const uint TILE4 = BLOCK * THREAD_ELEMENTS / 4; // vectors
  __shared__ T sdata[BLOCK];

  const uint tid = threadIdx.x;
  const uint tile = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [load] whole vectors, then the last n % 4 elements
  const uint n4 = args.n / 4;
  T4 sum4 = {};
  for (uint k = 0; k < 4; k++) {
    const uint i4 = tile * TILE4 + k * BLOCK + tid;
    if (i4 < n4)
      sum4 += g_idata4[i4];
  }
  T sum = (sum4.x + sum4.y) + (sum4.z + sum4.w);
  const uint i = n4 * 4 + tid;
  if (n4 / TILE4 == tile && i < args.n)
    sum += g_idata[i];

  // [reduce] as in reduce/3
  sdata[tid] = sum;
  __syncthreads();
  for (uint s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }

  // [write]
  if (tid == 0 && tile * TILE4 * 4 < args.n)
    g_sums[args.first_tile + tile] = sdata[0];
}

XB_ENTRIES(scan,
           (const T4 *__restrict__ g_idata4, const T *__restrict__ g_idata, T *g_sums, xb_scan_args args),
           (g_idata4, g_idata, g_sums, args))
