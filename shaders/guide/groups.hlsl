// Indices of threads and groups, and more groups than every device allows in one dimension.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [ids] every id that a thread has, each in a word of its own
[numthreads(4, 2, 3)]
void ids(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID, uint3 id : SV_DispatchThreadID,
         uint linear_id : SV_GroupIndex)
{
  const uint group = (groupIdx.z * args.a + groupIdx.y) * args.grid_x + groupIdx.x; // args: HLSL has no gridDim
  const uint at = (group * 24 + linear_id) * 4;
  g_out[at] = (threadIdx.z * 2 + threadIdx.y) * 4 + threadIdx.x; // 4 and 2 are [numthreads]: HLSL has no blockDim
  g_out[at + 1] = id.x;
  g_out[at + 2] = id.y;
  g_out[at + 3] = id.z;
}

// [fold] a row of args.n groups, folded into x and y; the last row has extra groups
[numthreads(GUIDE_BLOCK, 1, 1)]
void fold(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (threadIdx.x == 0 && group < args.n)
    InterlockedAdd(g_out[group], 1u);
}
