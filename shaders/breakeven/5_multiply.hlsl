// Break-even 5: C = AB, one element a thread, tiles of A and B in shared memory.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 2.2.
#include "breakeven_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_breakeven_args);

static const uint SIDE = BREAKEVEN_SIDE;
groupshared T aTile[SIDE][SIDE], bTile[SIDE][SIDE];

[numthreads(BLOCK, 1, 1)]
void breakeven(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint row = group / args.tiles_x * SIDE + ty;
  const uint column = group % args.tiles_x * SIDE + tx;

  T sum = 0;
  for (uint first = 0; first < args.k; first += SIDE) {
    // [load] zeros past the edges
    T a = 0, b = 0;
    if (row < args.m && first + tx < args.k)
      a = A[row * args.k + first + tx];
    if (first + ty < args.k && column < args.n)
      b = B[(first + ty) * args.n + column];
    aTile[ty][tx] = a;
    bTile[ty][tx] = b;
    GroupMemoryBarrierWithGroupSync();

    // [sum]
    for (uint k = 0; k < SIDE; k++)
      sum += aTile[ty][k] * bTile[k][tx];
    GroupMemoryBarrierWithGroupSync(); // the next turn overwrites the tiles
  }

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}
