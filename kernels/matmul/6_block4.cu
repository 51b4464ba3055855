// Matrix multiplication 6: 4 x 4 sums a thread, so that a word from shared memory is used 4 times.
// Source: ours; none of the documents has it.
#include "matmul_args.h"
#include "entry.cuh"

XB_KERNEL void matmul(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_matmul_args args)
{
  const uint SIDE = MATMUL_SIDE(BLOCK), SUMS = 4, TILE = SUMS * SIDE, DEPTH = MATMUL_DEPTH;
  __shared__ T aTile[TILE][DEPTH + 1]; // + 1: rows begin in different banks
  __shared__ T bTile[DEPTH][TILE];

  const uint tid = threadIdx.x, tx = tid % SIDE, ty = tid / SIDE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint row = group / args.tiles_x * TILE, column = group % args.tiles_x * TILE; // of the tile

  T sums[SUMS][SUMS];
#pragma unroll
  for (uint z = 0; z < SUMS * SUMS; z++)
    sums[z / SUMS][z % SUMS] = 0;
  for (uint first = 0; first < args.k; first += DEPTH) {
    // [load] zeros past the edges add nothing
#pragma unroll
    for (uint l = 0; l < TILE * DEPTH; l += BLOCK) {
      const uint r = (l + tid) / DEPTH, k = (l + tid) % DEPTH;
      T a = 0;
      if (row + r < args.m && first + k < args.k)
        a = A[(row + r) * args.k + first + k];
      aTile[r][k] = a;
    }
#pragma unroll
    for (uint p = 0; p < TILE * DEPTH; p += BLOCK) {
      const uint k = (p + tid) / TILE, c = (p + tid) % TILE;
      T b = 0;
      if (first + k < args.k && column + c < args.n)
        b = B[(first + k) * args.n + column + c];
      bTile[k][c] = b;
    }
    __syncthreads();

    // [sum]
#pragma unroll
    for (uint k = 0; k < DEPTH; k++) {
      T b[SUMS];
#pragma unroll
      for (uint q = 0; q < SUMS; q++)
        b[q] = bTile[k][tx + q * SIDE];
#pragma unroll
      for (uint i = 0; i < SUMS; i++) {
        const T a = aTile[ty + i * SIDE][k];
#pragma unroll
        for (uint j = 0; j < SUMS; j++)
          sums[i][j] += a * b[j];
      }
    }
    __syncthreads(); // the next turn overwrites the tiles
  }

  // [write]
#pragma unroll
  for (uint s = 0; s < SUMS * SUMS; s++) {
    const uint y = row + ty + s / SUMS * SIDE, x = column + tx + s % SUMS * SIDE;
    if (y < args.m && x < args.n)
      C[y * args.n + x] = sums[s / SUMS][s % SUMS];
  }
}

XB_ENTRIES(matmul, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_matmul_args args), (A, B, C, args))
