// All-reduce 1: adds a part of another member's vector to one's own, 16 bytes a thread.
// Source: ours; none of the documents has it.
#include "allreduce_args.h"
#include "entry.cuh"

XB_KERNEL void allreduce(const T4 *__restrict__ theirs, T4 *own,
                         xb_allreduce_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks

  // [add] one vector per thread
  if (i < args.n4) {
    T4 sum = own[i];
    sum += theirs[i];
    own[i] = sum;
  }
}

XB_ENTRIES(allreduce,
           (const T4 *__restrict__ theirs, T4 *own, xb_allreduce_args args),
           (theirs, own, args))
