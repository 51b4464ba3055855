// Wrong port 5: a fence without coherence. DeviceMemoryBarrier orders a thread's accesses, but other groups see this order
// only for globallycoherent buffers. Otherwise a group may never see another's stores, or it reads old values in its cache.
#include "args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);
// Word 0: groups that are done; then one slot per group.
#ifdef WRONG
[[vk::binding(2, 0)]] RWByteAddressBuffer exchange : register(u2);
#else
[[vk::binding(2, 0)]] globallycoherent RWByteAddressBuffer exchange : register(u2);
#endif
XB_ARGS(groups_args);

groupshared uint sum;
groupshared uint done;

// Each group adds its sum to its slot, so its cache, if any, then has the current values of the neighbouring slots. The group
// that finishes last adds up the slots and clears them.
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
  if (thread == 0)
    sum = 0;
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(sum, input[id.x]);
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) {
    const uint slot = 4 + group.x * 4;
    exchange.Store(slot, exchange.Load(slot) + sum);
    DeviceMemoryBarrier();
    uint before;
    exchange.InterlockedAdd(0, 1u, before);
    done = before + 1;
    sum = 0;
  }
  AllMemoryBarrierWithGroupSync(); // buffers, too
  if (done != args.groups)
    return;
  uint total = 0;
  for (uint i = thread; i < args.groups; i += 64) {
    total += exchange.Load(4 + i * 4);
    exchange.Store(4 + i * 4, 0u);
  }
  InterlockedAdd(sum, total);
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0) {
    output[0] = sum;
    exchange.Store(0, 0u);
  }
}
