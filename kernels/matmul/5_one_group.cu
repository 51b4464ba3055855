// Matrix multiplication 5: one group a dispatch, with 64 x 64 matrices in shared memory. The host tiles larger ones.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Block(Tiled) Algorithm'.
#include "matmul_args.h"
#include "entry.cuh"

XB_KERNEL void matmul(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_matmul_args args)
{
  const uint TILE = MATMUL_HOST_TILE, SUMS = TILE * TILE / BLOCK, ROWS = BLOCK / TILE;
  __shared__ T aTile[TILE][TILE], bTile[TILE][TILE];

  const uint tx = threadIdx.x % TILE, ty = threadIdx.x / TILE;
  const uint tile = args.first_tile + XB_GROUP_INDEX(blockIdx, args.grid_x);
  const uint row = tile / args.tiles_x * TILE + ty; // and each ROWS-th after it
  const uint column = tile % args.tiles_x * TILE + tx;

  T sums[SUMS];
#pragma unroll
  for (uint z = 0; z < SUMS; z++)
    sums[z] = 0;
  for (uint first = 0; first < args.k; first += TILE) {
    // [load] zeros past the edges add nothing
    for (uint l = 0; l < TILE; l += ROWS) {
      T a = 0;
      if (row + l < args.m && first + tx < args.k)
        a = A[(row + l) * args.k + first + tx];
      aTile[ty + l][tx] = a;
      T b = 0;
      if (first + ty + l < args.k && column < args.n)
        b = B[(first + ty + l) * args.n + column];
      bTile[ty + l][tx] = b;
    }
    __syncthreads();

    // [sum]
    for (uint k = 0; k < TILE; k++) {
      const T b = bTile[k][tx];
#pragma unroll
      for (uint i = 0; i < SUMS; i++)
        sums[i] += aTile[ty + i * ROWS][k] * b;
    }
    __syncthreads(); // the next turn overwrites the tiles
  }

  // [write]
#pragma unroll
  for (uint r = 0; r < SUMS; r++)
    if (row + r * ROWS < args.m && column < args.n)
      C[(row + r * ROWS) * args.n + column] = sums[r];
}

XB_ENTRIES(matmul, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_matmul_args args), (A, B, C, args))
