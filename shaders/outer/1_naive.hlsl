// Outer product 1: a thread for each element of C.
// Source: CUDA C++ Best Practices Guide (NVIDIA 2022), section 9.2.3.2: unoptimized matrix multiplication.
#include "outer_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_outer_args);

static const uint HEIGHT = BLOCK / TILE_DIM;

[numthreads(BLOCK, 1, 1)]
void outer(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tx = threadIdx.x % TILE_DIM, ty = threadIdx.x / TILE_DIM;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
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
