// Matrix multiplication 12: for few tiles, the inner length is split over groups too, so that they fill the device. This
// kernel adds the products of all parts, which rung 11 made.
// Source: ours; none of the documents has it.
#include "matmul_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> products : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T4> C : register(u0);
XB_ARGS(xb_matmul_args);

[numthreads(BLOCK, 1, 1)]
void matmul(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  // [place] a vector of C a thread
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  const uint count = args.m * args.n / 4, parts = args.k / args.part;
  if (i >= count)
    return;

  // [sum]
  T4 sum = products[i];
  for (uint p = 1; p < parts; p++)
    sum += products[p * count + i];
  C[i] = sum;
}
