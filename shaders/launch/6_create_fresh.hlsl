// Launch 6: a store that no thread makes. Its constant is replaced before each creation, so that no driver's cache has the code.
// Source: ours; none of the documents has it.
[[vk::binding(0, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);

[numthreads(BLOCK, 1, 1)]
void launch(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  // [work] none
  if (groupIdx.x * BLOCK + threadIdx.x == 0x5EEDC0DEu)
    g_odata[0] = 1;
}
