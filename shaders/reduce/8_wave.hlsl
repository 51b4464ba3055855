// Reduction 8: wave intrinsics, correct for any wave size.
// Not in the deck: a sum inside each wave, stored in one slot per wave, replaces the tree in shared memory.
// Source: ours; none of the documents has it.
#include "reduce_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_reduce_args);

groupshared T sdata[BLOCK]; // one slot per wave; a wave may be a single thread
groupshared uint waves;

[numthreads(BLOCK, 1, 1)]
void reduce(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (tid == 0)
    waves = 0;

  // [load] as in rung 7
  const uint dispatchSize = BLOCK * 2 * args.groups;
  T sum = 0;
  for (uint i = group * (BLOCK * 2) + tid; i < args.n; i += dispatchSize) {
    T pair = g_idata[i];
    if (i + BLOCK < args.n)
      pair += g_idata[i + BLOCK];
    sum += pair;
  }
  GroupMemoryBarrierWithGroupSync();

  // [reduce] inside the wave, without a barrier. HLSL has no index of the wave in the group (it is not tid / 32, as in
  // CUDA), so each wave allocates a slot.
  sum = WaveActiveSum(sum);
  if (WaveIsFirstLane()) {
    uint slot;
    InterlockedAdd(waves, 1u, slot);
    sdata[slot] = sum;
  }
  GroupMemoryBarrierWithGroupSync();

  // [write] a few slots are left: one thread adds them
  if (tid == 0 && group < args.groups) {
    T total = sdata[0];
    for (uint w = 1; w < waves; w++)
      total += sdata[w];
    g_odata[group] = total;
  }
}
