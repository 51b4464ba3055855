// C = AA', 4: a column of shared memory is in different banks, by swizzling.
// Source: ours; it takes no memory for padding.
#include "aat_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_aat_args);

static const uint HEIGHT = BLOCK / TILE_DIM;
groupshared T aTile[HEIGHT][TILE_DIM], transposedTile[TILE_DIM][TILE_DIM];

[numthreads(BLOCK, 1, 1)]
void aat(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tx = threadIdx.x % TILE_DIM, ty = threadIdx.x / TILE_DIM;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint row = group / args.tiles_x * HEIGHT + ty;
  const uint column = group % args.tiles_x * TILE_DIM + tx;
  const uint first = column - tx; // row of B

  // [load] rows of both, coalesced; each row of shared memory is in another order
  T a = 0;
  if (row < args.m)
    a = A[row * TILE_DIM + tx];
  aTile[ty][tx] = a;
  [unroll]
  for (uint l = 0; l < TILE_DIM; l += HEIGHT)
    transposedTile[tx][(ty + l) ^ tx] = B[min(first + ty + l, args.n - 1) * TILE_DIM + tx];
  GroupMemoryBarrierWithGroupSync();

  // [sum]
  T sum = 0;
  for (uint i = 0; i < TILE_DIM; i++)
    sum += aTile[ty][i] * transposedTile[i][tx ^ i];

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}
