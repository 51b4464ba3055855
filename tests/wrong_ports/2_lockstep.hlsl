// Wrong port 2: no group barrier below 32 threads, because the code assumes waves of 32 threads that run in lockstep. Waves
// may be smaller, and threads of a wave may diverge.
[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);

groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
  tile[thread] = input[id.x];
  GroupMemoryBarrierWithGroupSync();
#ifdef WRONG
  if (thread < 32) {
    tile[thread] += tile[thread + 32];
    tile[thread] += tile[thread + 16];
    tile[thread] += tile[thread + 8];
    tile[thread] += tile[thread + 4];
    tile[thread] += tile[thread + 2];
    tile[thread] += tile[thread + 1];
  }
#else
  // HLSL has no barrier for a wave, so each step has a barrier for the whole group.
  [unroll]
  for (uint s = 32; s > 0; s /= 2) {
    if (thread < s)
      tile[thread] += tile[thread + s];
    GroupMemoryBarrierWithGroupSync();
  }
#endif
  if (thread == 0)
    output[group.x] = tile[0];
}
