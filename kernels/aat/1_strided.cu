// C = AA', 1: a thread for each element of C.
// Source: CUDA C++ Best Practices Guide (NVIDIA 2022), section 9.2.3.3: unoptimized handling of strided accesses.
#include "aat_args.h"
#include "entry.cuh"

XB_KERNEL void aat(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_aat_args args)
{
  const uint HEIGHT = BLOCK / TILE_DIM;

  const uint tx = threadIdx.x % TILE_DIM, ty = threadIdx.x / TILE_DIM;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint row = group / args.tiles_x * HEIGHT + ty;
  const uint column = group % args.tiles_x * TILE_DIM + tx;
  if (row >= args.m || column >= args.n)
    return;

  // [sum] neighbouring threads read elements of B that are a row apart
  T sum = 0;
  for (uint i = 0; i < TILE_DIM; i++)
    sum += A[row * TILE_DIM + i] * B[column * TILE_DIM + i];

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}

XB_ENTRIES(aat, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_aat_args args), (A, B, C, args))
