#include "args.h"

XB_ARGS(step_args);
[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.count)
    output[id.x] = input[id.x] * args.mul + args.add;
}
