// Stride 1: 4 bytes per thread; the index is multiplied by the stride.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.1.4: strideCopy.
#include "stride_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_stride_args);

[numthreads(BLOCK, 1, 1)]
void stride(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [copy] every stride-th word; the words between are not accessed
  const uint at = i * args.stride;
  if (i < args.n)
    g_odata[at] = g_idata[at];
}
