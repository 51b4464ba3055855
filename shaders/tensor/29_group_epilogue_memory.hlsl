// Tensor cores 29: rung 28 without the word. Rung 21 writes what coopMatMulAdd sums, and a dispatch of its own changes
// each element of C: which thread holds which element of a matrix is not known.
// Source: ours; none of the documents has it.
#include "fragments.h"
#include "epilogue.h"

[[vk::binding(0, 0)]] StructuredBuffer<Element> B : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<float> C : register(u0);
XB_ARGS(xb_tensor_args);

[numthreads(BLOCK, 1, 1)]
void tensor(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint first = XB_GROUP_INDEX(groupIdx, args.grid_x) * (TENSOR_FINISHED * BLOCK) + threadIdx.x;
  [unroll]
  for (uint l = 0; l < TENSOR_FINISHED; l++) {
    const uint i = first + l * BLOCK;
    if (i < args.m * args.n)
      C[i] = finished(C[i], (float)B[i % args.n]);
  }
}
