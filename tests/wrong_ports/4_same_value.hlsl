// Wrong port 4: several threads store the same value to one word of shared memory. That is a race, even with equal values:
// it is undefined in Vulkan's memory model, and a compiler may assume that there is none.
#include "args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);
XB_ARGS(flag_args);

groupshared uint found;

// Does any element of the group reach the limit?
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
  if (thread == 0)
    found = 0;
  GroupMemoryBarrierWithGroupSync();
  if (input[id.x] >= args.limit) {
#ifdef WRONG
    found = 1;
#else
    InterlockedOr(found, 1u);
#endif
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0)
    output[group.x] = found;
}
