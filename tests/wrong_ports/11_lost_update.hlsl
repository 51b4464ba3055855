// Wrong port 11: a counter that many threads read, increment and store. Each of two that read the same value stores the
// same sum: one of the two increments is lost.
#include "args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);
XB_ARGS(flag_args);

groupshared uint count;

// How many elements of the group reach the limit?
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
  if (thread == 0)
    count = 0;
  GroupMemoryBarrierWithGroupSync();
  if (input[id.x] >= args.limit) {
#ifdef WRONG
    count = count + 1;
#else
    InterlockedAdd(count, 1u);
#endif
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0)
    output[group.x] = count;
}
