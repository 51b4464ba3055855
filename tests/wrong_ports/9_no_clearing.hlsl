// Wrong port 9: a histogram that is not cleared. Fresh memory is often zero, so the first run is right; every later one
// counts on from the one before. Each group has a histogram of its own in `exchange`.
#include "args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);
[[vk::binding(2, 0)]] globallycoherent RWByteAddressBuffer exchange : register(u2);

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex, uint3 group : SV_GroupID)
{
  const uint first = group.x * 64;
#ifndef WRONG
  exchange.Store(4 * (first + thread), 0u);
  AllMemoryBarrierWithGroupSync();
#endif
  exchange.InterlockedAdd(4 * (first + input[first + thread] % 64), 1u);
  AllMemoryBarrierWithGroupSync();
  output[first + thread] = exchange.Load(4 * (first + thread));
}
