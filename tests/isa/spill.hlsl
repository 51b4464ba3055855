// Each thread keeps COUNT values, of which it needs all at the end: with many of them a compiler has to spill.
RWStructuredBuffer<float> data : register(u0);

[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  float kept[COUNT];
  [unroll] for (uint i = 0; i < COUNT; i++)
    kept[i] = data[id.x * COUNT + i];
  [unroll] for (uint round = 0; round < 2; round++)
    [unroll] for (uint j = 0; j < COUNT; j++)
      kept[j] = kept[j] * kept[(j * 7 + 3) % COUNT] + kept[COUNT - 1 - j];
  [unroll] for (uint k = 0; k < COUNT; k++)
    data[id.x * COUNT + k] = kept[k];
}
