// Cache control 9: each word of the table that a thread loads is stored. HLSL has no hints for stores.
// Source: ours; none of the documents has it.
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

  // [store] each thread stores 64 words, beside those of its neighbours
  UNROLL for (uint k = 0; k < CACHECONTROL_LOADS; k++)
    g_odata[(group * CACHECONTROL_LOADS + k) * BLOCK + tid] = g_table[~(i + k * CACHECONTROL_STEP) & args.mask];
}
