// Offset 1: 4 bytes per thread; the offset is added to the index.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.1.3: offsetCopy.
#include "offset_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_offset_args);

[numthreads(BLOCK, 1, 1)]
void offset(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [copy] the offset must be in the index: a binding's offset has to be aligned, on some devices to 256 bytes
  const uint at = i + args.offset;
  if (i < args.n)
    g_odata[at] = g_idata[at];
}
