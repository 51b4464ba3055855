// Break-even 1: C = A + B, one element a thread.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 2.2.
#include "breakeven_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T> A : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> B : register(t1);
[[vk::binding(2, 0)]] RWStructuredBuffer<T> C : register(u0);
XB_ARGS(xb_breakeven_args);

[numthreads(BLOCK, 1, 1)]
void breakeven(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [add]
  if (i < args.n)
    C[i] = A[i] + B[i];
}
