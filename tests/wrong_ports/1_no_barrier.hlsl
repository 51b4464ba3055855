// Wrong port 1: no barrier between dependent dispatches. The mistake is the host's (cases.c): a CUDA stream runs one kernel
// after the other, a Vulkan command buffer and a Direct3D command list may run both at once. One kernel for both forms.
#include "args.h"

[[vk::binding(0, 0)]] RWStructuredBuffer<uint> input : register(u0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);
XB_ARGS(step_args);

// Each group needs what the last group of the dispatch before wrote.
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.count)
    output[id.x] = input[args.count - 1 - id.x] * args.mul + args.add;
}
