// Scan 1: the tree of Blelloch, in shared memory: log2(tile) steps up, then as many down.
// Source: Blelloch, Prefix Sums and Their Applications, 1990; ours otherwise.
#include "scan_args.h"
#include "entry.cuh"

XB_KERNEL void scan(const T *__restrict__ g_idata, T *g_odata, T *g_sums, xb_scan_args args)
{
  const uint TILE = 2 * BLOCK;
  __shared__ T sdata[TILE];

  const uint tid = threadIdx.x;
  const uint tile = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks

  // [load] two elements per thread
  const uint i = tile * TILE + tid, j = i + BLOCK;
  T a = 0, b = 0;
  if (i < args.n)
    a = g_idata[i];
  if (j < args.n)
    b = g_idata[j];
  sdata[tid] = a;
  sdata[tid + BLOCK] = b;
  __syncthreads();

  // [up] sums of pairs, of pairs of pairs ...
  uint s;
  for (s = 1; s < TILE; s *= 2) {
    const uint at = (tid + 1) * 2 * s - 1;
    if (at < TILE)
      sdata[at] += sdata[at - s];
    __syncthreads();
  }
  T total = 0;
  if (tid == 0) {
    total = sdata[TILE - 1];
    sdata[TILE - 1] = 0;
  }
  __syncthreads();

  // [down] each node hands the sum of what is before it to its left child; the right child also gets the left one's
  for (s = BLOCK; s > 0; s /= 2) {
    const uint at = (tid + 1) * 2 * s - 1;
    if (at < TILE) {
      const T left = sdata[at - s];
      sdata[at - s] = sdata[at];
      sdata[at] += left;
    }
    __syncthreads();
  }

  // [write] the tree gives exclusive sums
  if (i < args.n)
    g_odata[i] = args.exclusive ? sdata[tid] : sdata[tid] + a;
  if (j < args.n)
    g_odata[j] = args.exclusive ? sdata[tid + BLOCK] : sdata[tid + BLOCK] + b;
  if (tid == 0 && tile * TILE < args.n)
    g_sums[args.first_tile + tile] = total;
}

XB_ENTRIES(scan,
           (const T *__restrict__ g_idata, T *g_odata, T *g_sums, xb_scan_args args),
           (g_idata, g_odata, g_sums, args))
