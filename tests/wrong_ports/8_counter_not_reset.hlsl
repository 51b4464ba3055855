// Wrong port 8: the counter that finds the last group is not reset. The first dispatch is right; in every later one no
// group is the last.
#include "args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);
// Word 0: groups that are done; word 1: the sum so far.
[[vk::binding(2, 0)]] globallycoherent RWByteAddressBuffer exchange : register(u2);
XB_ARGS(groups_args);

groupshared uint sum;

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex)
{
  if (thread == 0)
    sum = 0;
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(sum, input[id.x]);
  GroupMemoryBarrierWithGroupSync();
  if (thread != 0)
    return;
  uint before;
  exchange.InterlockedAdd(4, sum, before);
  DeviceMemoryBarrier();
  exchange.InterlockedAdd(0, 1u, before);
  if (before + 1 != args.groups)
    return;
  DeviceMemoryBarrier();
  output[0] = exchange.Load(4);
  exchange.Store(4, 0u);
#ifndef WRONG
  exchange.Store(0, 0u);
#endif
}
