// Wrong port 10: no barrier between the clearing of a histogram in shared memory and the counting. A thread that is late
// clears what another one has counted.
#include "args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);

groupshared uint counters[64];

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex, uint3 group : SV_GroupID)
{
  const uint first = group.x * 64;
  counters[thread] = 0;
#ifndef WRONG
  GroupMemoryBarrierWithGroupSync();
#endif
  InterlockedAdd(counters[input[first + thread] % 64], 1u);
  GroupMemoryBarrierWithGroupSync();
  output[first + thread] = counters[thread];
}
