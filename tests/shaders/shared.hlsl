[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);

groupshared uint tile[64];

/* Each thread reads words that two others wrote, so the result is wrong if the group barrier does nothing. */
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex)
{
  tile[thread] = input[id.x];
  GroupMemoryBarrierWithGroupSync();
  output[id.x] = tile[63 - thread] * 3 + tile[thread * 7 % 64];
}
