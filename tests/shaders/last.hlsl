#include "args.h"

XB_ARGS(last_args);
[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
/* Word 0: groups that are done; word 1: the sum; from word 2: one sum per group. */
[[vk::binding(1, 0)]] globallycoherent RWByteAddressBuffer exchange : register(u1);

groupshared uint tile[64];
groupshared uint done_before;

void sum_tile(uint thread)
{
  for (uint half_size = 32; half_size > 0; half_size /= 2) {
    GroupMemoryBarrierWithGroupSync();
    if (thread < half_size)
      tile[thread] += tile[thread + half_size];
  }
  GroupMemoryBarrierWithGroupSync();
}

/* The group that finishes last adds up the sums of all groups. */
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
  tile[thread] = input[id.x];
  sum_tile(thread);
  if (thread == 0) {
    exchange.Store(8 + group.x * 4, tile[0]);
    DeviceMemoryBarrier();
    uint before;
    exchange.InterlockedAdd(0, 1u, before);
    done_before = before;
  }
  AllMemoryBarrierWithGroupSync(); // buffers, too
  if (done_before + 1 != args.groups)
    return;
  uint sum = 0;
  for (uint i = thread; i < args.groups; i += 64)
    sum += exchange.Load(8 + i * 4);
  tile[thread] = sum;
  sum_tile(thread);
  if (thread == 0)
    exchange.Store(4, tile[0]);
}
