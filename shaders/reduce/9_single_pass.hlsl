// Reduction 9: one dispatch. Vector loads, several in flight, a grid sized to the device, and the last group of all
// adds up what the groups left. Source of the idea: threadFenceReduction in the CUDA samples.
#include "reduce_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> g_idata : register(t1);
// What groups exchange inside a dispatch has to be globallycoherent: word 0 counts the groups that are done, one sum a
// group follows. glslang decides by element type, so this is the only raw buffer.
[[vk::binding(2, 0)]] globallycoherent RWByteAddressBuffer g_partial : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<T> g_odata : register(u1);
XB_ARGS(xb_reduce_args);

static const uint PARTIALS = 16; // byte offset of the first sum in g_partial

groupshared T sdata[BLOCK];
groupshared uint waves;
groupshared uint done;

// The sum over the group, for thread 0: rung 8's.
T group_sum(T sum, uint tid)
{
  if (tid == 0)
    waves = 0;
  GroupMemoryBarrierWithGroupSync();
  sum = WaveActiveSum(sum);
  if (WaveIsFirstLane()) {
    uint slot;
    InterlockedAdd(waves, 1u, slot);
    sdata[slot] = sum;
  }
  GroupMemoryBarrierWithGroupSync();
  T total = 0;
  if (tid == 0)
    for (uint w = 0; w < waves; w++)
      total += sdata[w];
  return total;
}

[numthreads(BLOCK, 1, 1)]
void reduce(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);

  // [load] tiles of 4 vectors a thread, four loads in flight, dealt to the groups in turn; then the last tile, which is
  // not whole; then the last n % 4 elements
  const uint n4 = args.n / 4;
  T4 sum4 = 0;
  uint i = group * (BLOCK * 4) + tid;
  for (; i + 3 * BLOCK < n4; i += args.groups * (BLOCK * 4)) {
    const T4 a = g_idata4[i];
    const T4 b = g_idata4[i + BLOCK];
    const T4 c = g_idata4[i + 2 * BLOCK];
    const T4 d = g_idata4[i + 3 * BLOCK];
    sum4 += (a + b) + (c + d);
  }
  for (; i < n4; i += BLOCK)
    sum4 += g_idata4[i];
  T sum = (sum4.x + sum4.y) + (sum4.z + sum4.w);
  const uint k = n4 * 4 + tid;
  if (group == 0 && k < args.n)
    sum += g_idata[k];

  // [reduce]
  const T total = group_sum(sum, tid);

  // [exchange] leave this group's sum, then count this group as done. The fence between keeps that order for others.
  if (tid == 0) {
    done = 0;
    if (group < args.groups) {
      g_partial.Store(PARTIALS + 4 * (args.first_group + group), XB_BITS(total));
      DeviceMemoryBarrier();
      g_partial.InterlockedAdd(0, 1u, done);
      done++;
    }
  }
  GroupMemoryBarrierWithGroupSync();

  // [finish] the group that counted last sees the sums of all
  if (done != args.all_groups)
    return;
  DeviceMemoryBarrier();
  T rest = 0;
  for (uint p = tid; p < args.all_groups; p += BLOCK)
    rest += XB_FROM_BITS(g_partial.Load(PARTIALS + 4 * p));
  const T all = group_sum(rest, tid);

  // [write] and leave the counter as it was found
  if (tid == 0) {
    g_odata[0] = all;
    g_partial.Store(0, 0u);
  }
}
