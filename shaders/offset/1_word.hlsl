// Offset 1: 4 bytes a thread, the offset added to the index.
#include "offset_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_offset_args);

[numthreads(BLOCK, 1, 1)]
void offset(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [copy] nothing but the index can take it: where a binding begins is aligned, to as much as 256 bytes
  const uint at = i + args.offset;
  if (i < args.n)
    g_odata[at] = g_idata[at];
}
