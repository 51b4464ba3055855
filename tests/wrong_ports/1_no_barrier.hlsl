// Wrong port 1: no barrier between dependent dispatches. The mistake is in the host's code (cases.c): a CUDA stream runs
// kernels in order, but in Vulkan and Direct3D dispatches of one command list may overlap. Both forms use this kernel.
#include "args.h"

[[vk::binding(0, 0)]] RWStructuredBuffer<uint> input : register(u0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);
XB_ARGS(step_args);

// Each group reads what the last group of the previous dispatch wrote.
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.count)
    output[id.x] = input[args.count - 1 - id.x] * args.mul + args.add;
}
