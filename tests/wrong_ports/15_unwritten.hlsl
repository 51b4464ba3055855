// Wrong port 15: a sum in shared memory that nobody sets to 0. Shared memory has what the last group left there.
[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);

groupshared uint sum;

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 group : SV_GroupID, uint thread : SV_GroupIndex)
{
#ifndef WRONG
  if (thread == 0)
    sum = 0;
  GroupMemoryBarrierWithGroupSync();
#endif
  InterlockedAdd(sum, input[id.x]);
  GroupMemoryBarrierWithGroupSync();
  if (thread == 0)
    output[group.x] = sum;
}
