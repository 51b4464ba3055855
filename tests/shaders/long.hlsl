#include "args.h"

XB_ARGS(long_args);
[[vk::binding(0, 0)]] RWStructuredBuffer<uint> output : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  uint x = id.x;
  for (uint i = 0; i < args.iterations; i++)
    x = x * 1664525u + 1013904223u;
  output[id.x] = x;
}
