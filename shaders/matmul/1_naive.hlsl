// Matrix multiplication 1: a thread for each element of C.
// Source: CUDA C++ Best Practices Guide (NVIDIA 2022), section 9.2.3.2: unoptimized matrix multiplication.
#include "matmul_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_matmul_args);

static const uint SIDE = MATMUL_SIDE(BLOCK);

[numthreads(BLOCK, 1, 1)]
void matmul(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
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
