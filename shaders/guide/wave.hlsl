// One sum inside each wave, one slot per wave: for any wave size, and in the form that assumes 32.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [any size] assumes no size
groupshared uint sdata[GUIDE_WAVE_BLOCK];
groupshared uint waves, widest;

[numthreads(GUIDE_WAVE_BLOCK, 1, 1)]
void any_size(uint3 threadIdx : SV_GroupThreadID)
{
  const uint tid = threadIdx.x;
  if (tid == 0)
    waves = widest = 0;
  GroupMemoryBarrierWithGroupSync();

  // HLSL has no index of the wave in the group, so each wave allocates a slot
  const uint sum = WaveActiveSum(tid < args.n ? g_in[tid] : 0);
  if (WaveIsFirstLane()) {
    uint slot;
    InterlockedAdd(waves, 1u, slot);
    sdata[slot] = sum;
  }
  InterlockedMax(widest, WaveActiveCountBits(true));
  GroupMemoryBarrierWithGroupSync();
  if (tid == 0) {
    uint total = 0;
    for (uint w = 0; w < waves; w++)
      total += sdata[w];
    g_out[0] = total;
    g_out[1] = WaveGetLaneCount();
    g_out[2] = waves;
    g_out[3] = widest; // what runs, where WaveGetLaneCount is what the API says
  }
}

// [assumes 32] every slot is written once, so nothing is undefined; where a wave is not 32 threads, the sum is wrong
[numthreads(GUIDE_WAVE_BLOCK, 1, 1)]
void assumes_32(uint3 threadIdx : SV_GroupThreadID)
{
  const uint tid = threadIdx.x;
  const uint sum = WaveActiveSum(tid < args.n ? g_in[tid] : 0);
  if (tid % 32 == 0)
    sdata[tid / 32] = sum;
  GroupMemoryBarrierWithGroupSync();
  if (tid == 0) {
    uint total = 0;
    for (uint w = 0; w < GUIDE_WAVE_BLOCK / 32; w++)
      total += sdata[w];
    g_out[0] = total;
    g_out[1] = WaveGetLaneCount();
    g_out[2] = GUIDE_WAVE_BLOCK / 32;
  }
}
