// Matrix multiplication 4: the loop over a tile, unrolled.
// Source: Mordohai, CS 677, lecture 2, slide 'Tiled Matrix Multiplication Kernel': unrolled.
#include "matmul_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_matmul_args);

static const uint SIDE = MATMUL_SIDE(BLOCK);
groupshared T aTile[SIDE][SIDE], bTile[SIDE][SIDE];

[numthreads(BLOCK, 1, 1)]
void matmul(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint row = group / args.tiles_x * SIDE + ty;
  const uint column = group % args.tiles_x * SIDE + tx;

  T sum = 0;
  for (uint first = 0; first < args.k; first += SIDE) {
    // [load] each thread an element of both tiles; zeros past the edges add nothing
    T a = 0;
    if (row < args.m && first + tx < args.k)
      a = A[row * args.k + first + tx];
    aTile[ty][tx] = a;
    T b = 0;
    if (first + ty < args.k && column < args.n)
      b = B[(first + ty) * args.n + column];
    bTile[ty][tx] = b;
    GroupMemoryBarrierWithGroupSync();

    // [sum]
    [unroll]
    for (uint k = 0; k < SIDE; k++)
      sum += aTile[ty][k] * bTile[k][tx];
    GroupMemoryBarrierWithGroupSync(); // the next turn overwrites the tiles
  }

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}
