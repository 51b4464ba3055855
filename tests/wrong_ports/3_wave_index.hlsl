// Wrong port 3: tid / 32 as the wave. A wave has 4 to 128 lanes, and nothing says which threads of a group it holds.
[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);

static const uint THREADS = 16 * 8;

groupshared uint sums[THREADS]; // one slot a wave, and a wave may be a single lane
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
  // HLSL does not tell which wave this is (before SM 6.10): each wave draws a slot.
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
