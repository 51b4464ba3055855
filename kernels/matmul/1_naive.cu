// Matrix multiplication 1: a thread for each element of C.
// Source: CUDA C++ Best Practices Guide (NVIDIA 2022), section 9.2.3.2: unoptimized matrix multiplication.
#include "matmul_args.h"
#include "entry.cuh"

XB_KERNEL void matmul(const T *__restrict__ A, const T *__restrict__ B, T *C, xb_matmul_args args)
{
  const uint SIDE = MATMUL_SIDE(BLOCK);
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint row = group / args.tiles_x * SIDE + threadIdx.x / SIDE;
  const uint column = group % args.tiles_x * SIDE + threadIdx.x % SIDE;
  if (row >= args.m || column >= args.n)
    return;

  // [sum] neighbouring threads read neighbouring elements of B, and the same one of A
  T sum = 0;
  for (uint k = 0; k < args.k; k++)
    sum += A[row * args.k + k] * B[k * args.n + column];

  // [write]
  C[row * args.n + column] = sum;
}

XB_ENTRIES(matmul, (const T *__restrict__ A, const T *__restrict__ B, T *C, xb_matmul_args args), (A, B, C, args))
