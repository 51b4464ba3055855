// C = AA', 4: a column of shared memory is in different banks, by swizzling.
// Source: ours; it takes no memory for padding.
#include "aat_args.h"
#include "entry.cuh"

XB_KERNEL void aat(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_aat_args args)
{
  const uint HEIGHT = BLOCK / TILE_DIM;
  __shared__ T aTile[HEIGHT][TILE_DIM], transposedTile[TILE_DIM][TILE_DIM];

  const uint tx = threadIdx.x % TILE_DIM, ty = threadIdx.x / TILE_DIM;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint row = group / args.tiles_x * HEIGHT + ty;
  const uint column = group % args.tiles_x * TILE_DIM + tx;
  const uint first = column - tx; // row of B

  // [load] rows of both, coalesced; each row of shared memory is in another order
  T a = 0;
  if (row < args.m)
    a = A[row * TILE_DIM + tx];
  aTile[ty][tx] = a;
#pragma unroll
  for (uint l = 0; l < TILE_DIM; l += HEIGHT)
    transposedTile[tx][(ty + l) ^ tx] = B[min(first + ty + l, args.n - 1) * TILE_DIM + tx];
  __syncthreads();

  // [sum]
  T sum = 0;
  for (uint i = 0; i < TILE_DIM; i++)
    sum += aTile[ty][i] * transposedTile[i][tx ^ i];

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}

XB_ENTRIES(aat, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_aat_args args), (A, B, C, args))
