#include "args.h"

XB_ARGS(where_args);
[[vk::binding(0, 0)]] RWStructuredBuffer<uint> output : register(u0);

/* Each thread writes its position in a group of three dimensions. */
[numthreads(4, 2, 3)]
void main(uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID)
{
  const uint g = (group.z * args.groups_y + group.y) * args.groups_x + group.x;
  const uint t = (thread.z * 2 + thread.y) * 4 + thread.x;
  output[g * 24 + t] = group.x | group.y << 6 | group.z << 12 | thread.x << 18 | thread.y << 22 | thread.z << 26;
}
