// Turns the largest key into the element that it stands for, after rows 1 to 3.
// Source: ours; none of the documents has it.
#include "maximum_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_keys : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);

[numthreads(BLOCK, 1, 1)]
void maximum(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  // [write]
  if (threadIdx.x == 0)
    g_odata[0] = ELEMENT_OF(g_keys[0]);
}
