// All-reduce 1: adds a part of another member's vector to one's own, 16 bytes a thread.
// Source: ours; none of the documents has it.
#include "allreduce_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> theirs : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<T4> own : register(u0);
XB_ARGS(xb_allreduce_args);

[numthreads(BLOCK, 1, 1)]
void allreduce(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;

  // [add] one vector per thread
  if (i < args.n4) {
    T4 sum = own[i];
    sum += theirs[i];
    own[i] = sum;
  }
}
