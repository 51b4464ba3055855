#include "args.h"

XB_ARGS(index_args);
[[vk::binding(0, 0)]] RWStructuredBuffer<uint> output : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
  const uint i = XB_GROUP_INDEX(group, args.grid_x) * 64 + thread;
  if (i < args.count)
    output[args.first + i] = i * args.mul + args.add;
}
