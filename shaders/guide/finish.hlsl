// The last group finishes. Barriers order what the threads of one group do; what other groups left is seen through a
// coherent buffer, a fence and an atomic.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
// Word 0: groups that are done. From word 1: a sum a group. The only raw buffer, because glslang decides by element type.
[[vk::binding(2, 0)]] globallycoherent RWByteAddressBuffer g_exchange : register(u2);
XB_ARGS(xb_guide_args);

// [group sum] a tree in shared memory
groupshared uint tile[GUIDE_BLOCK];
uint group_sum(uint value, uint tid)
{
  GroupMemoryBarrierWithGroupSync();
  tile[tid] = value;
  for (uint s = GUIDE_BLOCK / 2; s > 0; s >>= 1) {
    GroupMemoryBarrierWithGroupSync();
    if (tid < s)
      tile[tid] += tile[tid + s];
  }
  GroupMemoryBarrierWithGroupSync();
  return tile[0];
}

// [last group] every group adds up its own
groupshared uint done_before;

[numthreads(GUIDE_BLOCK, 1, 1)]
void last_group(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint i = groupIdx.x * GUIDE_BLOCK + tid;
  const uint sum = group_sum(i < args.n ? g_in[min(i, args.n - 1)] : 0, tid);

  // [exchange] leave the sum, then count: whoever sees the count sees the sum
  if (tid == 0) {
    g_exchange.Store(4 + 4 * groupIdx.x, sum);
    DeviceMemoryBarrier(); // with globallycoherent it reaches the device; without, only the group
    uint before;
    g_exchange.InterlockedAdd(0, 1u, before); // implies no fence
    done_before = before;
  }
  AllMemoryBarrierWithGroupSync(); // all of the group sees what thread 0 has seen: shared memory and buffers
  if (done_before + 1 != args.a)
    return;

  // [finish] and leave the counter as it was found
  uint rest = 0;
  for (uint g = tid; g < args.a; g += GUIDE_BLOCK)
    rest += g_exchange.Load(4 + 4 * g);
  rest = group_sum(rest, tid);
  if (tid == 0) {
    g_out[0] = rest;
    g_out[1] += 1;
    g_exchange.Store(0, 0u);
  }
}
