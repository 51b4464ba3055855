// The largest of many floats, negative ones too: in waves, in the group, and over all groups by an atomic.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // bits of floats
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

groupshared uint largest_key;

// [key] an order of uints that is the order of floats
uint key_of(uint bits)
{
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000;
}

// [largest] lanes without an element have -infinity, not 0
[numthreads(GUIDE_BLOCK, 1, 1)]
void largest(uint3 id : SV_DispatchThreadID, uint3 threadIdx : SV_GroupThreadID)
{
  if (threadIdx.x == 0)
    largest_key = 0;
  GroupMemoryBarrierWithGroupSync();
  float x = asfloat(0xff800000); // -INFINITY has no word
  if (id.x < args.n)
    x = asfloat(g_in[id.x]);
  x = WaveActiveMax(x);
  if (WaveIsFirstLane())
    InterlockedMax(largest_key, key_of(asuint(x)));
  GroupMemoryBarrierWithGroupSync();
  if (threadIdx.x == 0)
    InterlockedMax(g_out[0], largest_key);
}
