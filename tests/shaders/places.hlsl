cbuffer factors : register(b7, space2)
{
  uint mul, add;
};
[[vk::binding(3, 0)]] StructuredBuffer<uint> input;
[[vk::binding(1000, 3)]] RWStructuredBuffer<uint> output;
[[vk::binding(1, 2)]] RWStructuredBuffer<uint> copied;

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  output[id.x] = input[id.x] * mul + add;
  copied[id.x] = input[id.x];
}
