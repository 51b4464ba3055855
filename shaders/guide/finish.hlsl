// The last group finishes the work. Barriers order accesses inside one group; to see what other groups stored, a group
// needs a coherent buffer, a fence and an atomic.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
// Word 0: groups that are done. From word 1: one sum per group. The only raw buffer: glslang makes every buffer of an
// element type coherent.
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

// [last group] every group adds up its own elements
groupshared uint done_before;

[numthreads(GUIDE_BLOCK, 1, 1)]
void last_group(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint i = groupIdx.x * GUIDE_BLOCK + tid;
  const uint sum = group_sum(i < args.n ? g_in[min(i, args.n - 1)] : 0, tid);

  // [exchange] store the sum, then count: a thread that sees the count also sees the sum
  if (tid == 0) {
    g_exchange.Store(4 + 4 * groupIdx.x, sum);
    DeviceMemoryBarrier(); // its scope is the device with globallycoherent, else the group
    uint before;
    g_exchange.InterlockedAdd(0, 1u, before); // implies no fence
    done_before = before;
  }
  AllMemoryBarrierWithGroupSync(); // for the group: all its threads see what thread 0 sees, in buffers, too
  if (done_before + 1 != args.a)
    return;

  // [finish] add up the sums, and reset the counter
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
