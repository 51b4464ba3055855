// Break-even 5: C = AB, one element a thread, tiles of A and B in shared memory.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 2.2.
#include "breakeven_args.h"
#include "entry.cuh"

XB_KERNEL void breakeven(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_breakeven_args args)
{
  const uint SIDE = BREAKEVEN_SIDE;
  __shared__ T aTile[SIDE][SIDE], bTile[SIDE][SIDE];

  const uint tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint row = group / args.tiles_x * SIDE + ty;
  const uint column = group % args.tiles_x * SIDE + tx;

  T sum = 0;
  for (uint first = 0; first < args.k; first += SIDE) {
    // [load] zeros past the edges
    T a = 0, b = 0;
    if (row < args.m && first + tx < args.k)
      a = A[row * args.k + first + tx];
    if (first + ty < args.k && column < args.n)
      b = B[(first + ty) * args.n + column];
    aTile[ty][tx] = a;
    bTile[ty][tx] = b;
    __syncthreads();

    // [sum]
    for (uint k = 0; k < SIDE; k++)
      sum += aTile[ty][k] * bTile[k][tx];
    __syncthreads(); // the next turn overwrites the tiles
  }

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}

XB_ENTRIES(breakeven, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_breakeven_args args), (A, B, C, args))
