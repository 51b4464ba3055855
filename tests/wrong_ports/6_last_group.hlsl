// Wrong port 6: the last group has threads beyond the end of the data. Direct3D drops stores past the end of a
// descriptor, and so does lavapipe. Vulkan without robustBufferAccess guarantees nothing, and CUDA has no descriptors.
#include "args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> input : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> output : register(u1);
XB_ARGS(add_args);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
#ifndef WRONG
  if (id.x < args.count)
#endif
    output[id.x] = input[id.x] + args.add;
}
