// Matrix multiplication 2: tiles of A in shared memory.
// Source: CUDA C++ Best Practices Guide (NVIDIA 2022), section 9.2.3.2: coalesced loads of A.
#include "matmul_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_matmul_args);

static const uint SIDE = MATMUL_SIDE(BLOCK);
groupshared T aTile[SIDE][SIDE];

[numthreads(BLOCK, 1, 1)]
void matmul(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint row = group / args.tiles_x * SIDE + ty;
  const uint column = group % args.tiles_x * SIDE + tx;
  const uint from = min(column, args.n - 1); // past the edge: any column

  T sum = 0;
  for (uint first = 0; first < args.k; first += SIDE) {
    // [load] the threads of a row read its part of A, coalesced
    T a = 0;
    if (row < args.m && first + tx < args.k)
      a = A[row * args.k + first + tx];
    aTile[ty][tx] = a;
    GroupMemoryBarrierWithGroupSync(); // HLSL has no barrier of a wave

    // [sum]
    const uint some = min(SIDE, args.k - first);
    for (uint k = 0; k < some; k++)
      sum += aTile[ty][k] * B[(first + k) * args.n + from];
    GroupMemoryBarrierWithGroupSync(); // the next turn overwrites the tile
  }

  // [write]
  if (row < args.m && column < args.n)
    C[row * args.n + column] = sum;
}
