// Scan 1: the tree of Blelloch, in shared memory: log2(tile) steps up, then as many down.
// Source: Blelloch, Prefix Sums and Their Applications, 1990; ours otherwise.
#include "scan_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> g_sums : register(u1); // one for each tile
XB_ARGS(xb_scan_args);

static const uint TILE = 2 * BLOCK;

groupshared T sdata[TILE];

[numthreads(BLOCK, 1, 1)]
void scan(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint tile = XB_GROUP_INDEX(groupIdx, args.grid_x);

  // [load] two elements per thread
  const uint i = tile * TILE + tid, j = i + BLOCK;
  T a = 0, b = 0;
  if (i < args.n)
    a = g_idata[i];
  if (j < args.n)
    b = g_idata[j];
  sdata[tid] = a;
  sdata[tid + BLOCK] = b;
  GroupMemoryBarrierWithGroupSync();

  // [up] sums of pairs, of pairs of pairs ...
  uint s;
  for (s = 1; s < TILE; s *= 2) {
    const uint at = (tid + 1) * 2 * s - 1;
    if (at < TILE)
      sdata[at] += sdata[at - s];
    GroupMemoryBarrierWithGroupSync();
  }
  T total = 0;
  if (tid == 0) {
    total = sdata[TILE - 1];
    sdata[TILE - 1] = 0;
  }
  GroupMemoryBarrierWithGroupSync();

  // [down] each node hands the sum of what is before it to its left child; the right child also gets the left one's
  for (s = BLOCK; s > 0; s /= 2) {
    const uint at = (tid + 1) * 2 * s - 1;
    if (at < TILE) {
      const T left = sdata[at - s];
      sdata[at - s] = sdata[at];
      sdata[at] += left;
    }
    GroupMemoryBarrierWithGroupSync();
  }

  // [write] the tree gives exclusive sums
  if (i < args.n)
    g_odata[i] = args.exclusive ? sdata[tid] : sdata[tid] + a;
  if (j < args.n)
    g_odata[j] = args.exclusive ? sdata[tid + BLOCK] : sdata[tid + BLOCK] + b;
  if (tid == 0 && tile * TILE < args.n)
    g_sums[args.first_tile + tile] = total;
}
