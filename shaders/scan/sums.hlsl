// The sum of each tile, for row 3.
// Source: ours; none of the documents has it.
#include "scan_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> g_sums : register(u0);
XB_ARGS(xb_scan_args);

static const uint TILE4 = BLOCK * THREAD_ELEMENTS / 4; // vectors

groupshared T sdata[BLOCK];

[numthreads(BLOCK, 1, 1)]
void scan(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint tile = XB_GROUP_INDEX(groupIdx, args.grid_x);

  // [load] whole vectors, then the last n % 4 elements
  const uint n4 = args.n / 4;
  T4 sum4 = 0;
  [unroll] for (uint k = 0; k < 4; k++) {
    const uint i4 = tile * TILE4 + k * BLOCK + tid;
    if (i4 < n4)
      sum4 += g_idata4[i4];
  }
  T sum = (sum4.x + sum4.y) + (sum4.z + sum4.w);
  const uint i = n4 * 4 + tid;
  if (n4 / TILE4 == tile && i < args.n)
    sum += g_idata[i];

  // [reduce] as in reduce/3
  sdata[tid] = sum;
  GroupMemoryBarrierWithGroupSync();
  for (uint s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    GroupMemoryBarrierWithGroupSync();
  }

  // [write]
  if (tid == 0 && tile * TILE4 * 4 < args.n)
    g_sums[args.first_tile + tile] = sdata[0];
}
