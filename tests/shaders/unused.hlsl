#include "args.h"

/* Binding 1 and the arguments are declared and not used: compilers drop them. */
XB_ARGS(step_args);
[[vk::binding(0, 0)]] RWStructuredBuffer<uint> output : register(u0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> dropped : register(u1);
[[vk::binding(2, 0)]] StructuredBuffer<uint> input : register(t2);

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex)
{
  output[thread] = input[thread] + 1;
}
