// Matrix multiplication 4: the loop over a tile, unrolled.
// Source: Mordohai, CS 677, lecture 2, slide 'Tiled Matrix Multiplication Kernel': unrolled.
#include "matmul_args.h"
#include "entry.cuh"

XB_KERNEL void matmul(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_matmul_args args)
{
  const uint SIDE = MATMUL_SIDE(BLOCK);
  __shared__ T aTile[SIDE][SIDE], bTile[SIDE][SIDE];

  const uint tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint row = group / args.tiles_x * SIDE + ty;
  const uint column = group % args.tiles_x * SIDE + tx;

  T sum = 0;
  for (uint first = 0; first < args.k; first += SIDE) {
    // [load] each thread an element of both tiles; zeros past the edges add nothing
    T a = 0;
    if (row < args.m && first + tx < args.k)
      a = A[row * args.k + first + tx];
    aTile[ty][tx] = a;
    T b = 0;
    if (first + ty < args.k && column < args.n)
      b = B[(first + ty) * args.n + column];
    bTile[ty][tx] = b;
    __syncthreads();

    // [sum]
#pragma unroll
    for (uint k = 0; k < SIDE; k++)
      sum += aTile[ty][k] * bTile[k][tx];
    __syncthreads(); // the next turn overwrites the tiles
  }

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}

XB_ENTRIES(matmul, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_matmul_args args), (A, B, C, args))
