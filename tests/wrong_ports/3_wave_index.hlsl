// Wrong port 3: tid / 32 as the wave's index. A wave has 4 to 128 lanes, and it is not defined which threads are in it.
[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);

static const uint THREADS = 16 * 8;

groupshared uint sums[THREADS]; // one slot per wave; a wave may be a single lane
groupshared uint waves;

[numthreads(16, 8, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
  sums[thread] = 0;
  if (thread == 0)
    waves = 0;
  GroupMemoryBarrierWithGroupSync();

  const uint sum = WaveActiveSum(input[group.x * THREADS + thread]);
#ifdef WRONG
  if (thread % 32 == 0)
    sums[thread / 32] = sum;
#else
  // HLSL has no index of the wave in the group (before SM 6.10), so each wave allocates a slot.
  if (WaveIsFirstLane()) {
    uint slot;
    InterlockedAdd(waves, 1u, slot);
    sums[slot] = sum;
  }
#endif
  GroupMemoryBarrierWithGroupSync();

  if (thread == 0) {
    uint total = 0;
    for (uint w = 0; w < THREADS; w++)
      total += sums[w];
    output[group.x] = total;
  }
}
