// C = AA', 1: a thread for each element of C.
// Source: CUDA C++ Best Practices Guide (NVIDIA 2022), section 9.2.3.3: unoptimized handling of strided accesses.
#include "aat_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_aat_args);

static const uint HEIGHT = BLOCK / TILE_DIM;

[numthreads(BLOCK, 1, 1)]
void aat(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tx = threadIdx.x % TILE_DIM, ty = threadIdx.x / TILE_DIM;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
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
