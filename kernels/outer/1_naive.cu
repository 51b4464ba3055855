// Outer product 1: a thread for each element of C.
// Source: CUDA C++ Best Practices Guide (NVIDIA 2022), section 9.2.3.2: unoptimized matrix multiplication.
#include "outer_args.h"
#include "entry.cuh"

XB_KERNEL void outer(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_outer_args args)
{
  const uint HEIGHT = BLOCK / TILE_DIM;

  const uint tx = threadIdx.x % TILE_DIM, ty = threadIdx.x / TILE_DIM;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint row = group / args.tiles_x * HEIGHT + ty;
  const uint column = group % args.tiles_x * TILE_DIM + tx;
  if (row >= args.m || column >= args.n)
    return;

  // [sum] neighbouring threads read neighbouring elements of B, and the same one of A
  T sum = 0;
  for (uint i = 0; i < TILE_DIM; i++)
    sum += A[row * TILE_DIM + i] * B[i * args.n + column];

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}

XB_ENTRIES(outer, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_outer_args args), (A, B, C, args))
