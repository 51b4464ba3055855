// Matrix multiplication 5: one group a dispatch, with 64 x 64 matrices in shared memory. The host tiles larger ones.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Block(Tiled) Algorithm'.
#include "matmul_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_matmul_args);

static const uint TILE = MATMUL_HOST_TILE, SUMS = TILE * TILE / BLOCK, ROWS = BLOCK / TILE;
groupshared T aTile[TILE][TILE], bTile[TILE][TILE];

[numthreads(BLOCK, 1, 1)]
void matmul(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tx = threadIdx.x % TILE, ty = threadIdx.x / TILE;
  const uint tile = args.first_tile + XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint row = tile / args.tiles_x * TILE + ty; // and each ROWS-th after it
  const uint column = tile % args.tiles_x * TILE + tx;

  T sums[SUMS];
  [unroll]
  for (uint z = 0; z < SUMS; z++)
    sums[z] = 0;
  for (uint first = 0; first < args.k; first += TILE) {
    // [load] zeros past the edges add nothing
    for (uint l = 0; l < TILE; l += ROWS) {
      T a = 0;
      if (row + l < args.m && first + tx < args.k)
        a = A[(row + l) * args.k + first + tx];
      aTile[ty + l][tx] = a;
      T b = 0;
      if (first + ty + l < args.k && column < args.n)
        b = B[(first + ty + l) * args.n + column];
      bTile[ty + l][tx] = b;
    }
    GroupMemoryBarrierWithGroupSync();

    // [sum]
    for (uint k = 0; k < TILE; k++) {
      const T b = bTile[k][tx];
      [unroll]
      for (uint i = 0; i < SUMS; i++)
        sums[i] += aTile[ty + i * ROWS][k] * b;
    }
    GroupMemoryBarrierWithGroupSync(); // the next turn overwrites the tiles
  }

  // [write]
  [unroll]
  for (uint r = 0; r < SUMS; r++)
    if (row + r * ROWS < args.m && column < args.n)
      C[(row + r * ROWS) * args.n + column] = sums[r];
}
