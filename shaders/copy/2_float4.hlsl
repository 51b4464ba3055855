// Copy 2: 16 bytes per thread. Reductions and transposes are compared with it.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 8.2.2: the effective bandwidth of a copy.
#include "copy_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> g_idata : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T4> g_odata4 : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<T> g_odata : register(u1);
XB_ARGS(xb_copy_args);

[numthreads(BLOCK, 1, 1)]
void copy(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  const uint n4 = args.n / 4;

  // [copy] one vector per thread
  for (uint r = 0; r < args.repeats; r++) {
    const uint at = i + r * args.repeat_stride;
    if (i < n4)
      g_odata4[at] = g_idata4[at];
  }

  // [rest] the last n % 4 elements, one by one
  const uint k = n4 * 4 + i;
  if (i < 4 && k < args.n)
    g_odata[k] = g_idata[k];
}
