// Outer product 3: tiles of A and of B in shared memory.
// Source: CUDA C++ Best Practices Guide (NVIDIA 2022), section 9.2.3.2: shared memory also for B.
#include "outer_args.h"
#include "entry.cuh"

XB_KERNEL void outer(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_outer_args args)
{
  const uint HEIGHT = BLOCK / TILE_DIM;
  __shared__ T aTile[HEIGHT][TILE_DIM], bTile[TILE_DIM][TILE_DIM];

  const uint tx = threadIdx.x % TILE_DIM, ty = threadIdx.x / TILE_DIM;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint row = group / args.tiles_x * HEIGHT + ty;
  const uint column = group % args.tiles_x * TILE_DIM + tx;
  const uint from = min(column, args.n - 1); // past the edge: any column

  // [load]
  T a = 0;
  if (row < args.m)
    a = A[row * TILE_DIM + tx];
  aTile[ty][tx] = a;
#pragma unroll
  for (uint l = 0; l < TILE_DIM; l += HEIGHT)
    bTile[ty + l][tx] = B[(ty + l) * args.n + from];
  __syncthreads();

  // [sum]
  T sum = 0;
  for (uint i = 0; i < TILE_DIM; i++)
    sum += aTile[ty][i] * bTile[i][tx];

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}

XB_ENTRIES(outer, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_outer_args args), (A, B, C, args))
