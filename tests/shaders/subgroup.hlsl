[[vk::binding(0, 0)]] RWStructuredBuffer<uint> output : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  output[id.x] = WaveGetLaneCount();
}
