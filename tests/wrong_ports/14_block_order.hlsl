// Wrong port 14: each group waits for the one with the number before. HLSL does not say that groups begin in the order of
// their numbers: where later ones take all places first, none of them ends. So a group takes its tile when it begins.
#include "args.h"

#define NOT_YET 0x5EEDF00Du // what `output` has before a run

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWByteAddressBuffer output : register(u1);
// Word 0: groups that have begun.
[[vk::binding(2, 0)]] RWByteAddressBuffer exchange : register(u2);
XB_ARGS(groups_args);

groupshared uint sum;
groupshared uint tile;

// Each group adds its sum to that of all groups before it.
[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
  if (thread == 0) {
    sum = 0;
    uint began, all;
    exchange.InterlockedAdd(0, 1u, began);
    if (began + 1 == args.groups)
      exchange.InterlockedExchange(0, 0u, all);
#ifdef WRONG
    tile = group.x;
#else
    tile = began;
#endif
  }
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(sum, input[tile * 64 + thread]);
  GroupMemoryBarrierWithGroupSync();
  if (thread != 0)
    return;
  uint before = tile > 0 ? NOT_YET : 0;
  while (before == NOT_YET)
    output.InterlockedAdd(tile * 4 - 4, 0u, before);
  uint replaced;
  output.InterlockedExchange(tile * 4, before + sum, replaced);
}
