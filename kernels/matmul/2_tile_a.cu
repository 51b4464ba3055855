// Matrix multiplication 2: tiles of A in shared memory.
// Source: CUDA C++ Best Practices Guide (NVIDIA 2022), section 9.2.3.2: coalesced loads of A.
#include "matmul_args.h"
#include "entry.cuh"

XB_KERNEL void matmul(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_matmul_args args)
{
  const uint SIDE = MATMUL_SIDE(BLOCK);
  __shared__ T aTile[SIDE][SIDE];

  const uint tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint row = group / args.tiles_x * SIDE + ty;
  const uint column = group % args.tiles_x * SIDE + tx;
  const uint from = min(column, args.n - 1); // past the edge: any column

  T sum = 0;
  for (uint first = 0; first < args.k; first += SIDE) {
    // [load] the threads of a row read its part of A, coalesced
    T a = 0;
    if (row < args.m && first + tx < args.k)
      a = A[row * args.k + first + tx];
    aTile[ty][tx] = a;
    __syncwarp(); // a row's threads are in one warp

    // [sum]
    const uint some = min(SIDE, args.k - first);
    for (uint k = 0; k < some; k++)
      sum += aTile[ty][k] * B[(first + k) * args.n + from];
    __syncwarp(); // the next turn overwrites the tile
  }

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}

XB_ENTRIES(matmul, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_matmul_args args), (A, B, C, args))
