// Cache control 1: all threads load words of one table, with no hint. HLSL has none.
// Source: National Tsing Hua University, Performance (Memory) Optimization, slide 'Local Memory Cache'.
#include "cachecontrol_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_table : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_cachecontrol_args);

[numthreads(BLOCK, 1, 1)]
void cachecontrol(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;
  const uint i = (args.first + group) * BLOCK + tid;

  // [load] each thread loads 64 words
  uint h = 0;
  UNROLL for (uint k = 0; k < CACHECONTROL_LOADS; k++)
    h = h * CACHECONTROL_FACTOR + g_table[~(i + k * CACHECONTROL_STEP) & args.mask];
  g_odata[group * BLOCK + tid] = h;
}
