// Outer product 3: tiles of A and of B in shared memory.
// Source: CUDA C++ Best Practices Guide (NVIDIA 2022), section 9.2.3.2: shared memory also for B.
#include "outer_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_outer_args);

static const uint HEIGHT = BLOCK / TILE_DIM;
groupshared T aTile[HEIGHT][TILE_DIM], bTile[TILE_DIM][TILE_DIM];

[numthreads(BLOCK, 1, 1)]
void outer(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tx = threadIdx.x % TILE_DIM, ty = threadIdx.x / TILE_DIM;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint row = group / args.tiles_x * HEIGHT + ty;
  const uint column = group % args.tiles_x * TILE_DIM + tx;
  const uint from = min(column, args.n - 1); // past the edge: any column

  // [load]
  T a = 0;
  if (row < args.m)
    a = A[row * TILE_DIM + tx];
  aTile[ty][tx] = a;
  [unroll]
  for (uint l = 0; l < TILE_DIM; l += HEIGHT)
    bTile[ty + l][tx] = B[(ty + l) * args.n + from];
  GroupMemoryBarrierWithGroupSync();

  // [sum]
  T sum = 0;
  for (uint i = 0; i < TILE_DIM; i++)
    sum += aTile[ty][i] * bTile[i][tx];

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}
