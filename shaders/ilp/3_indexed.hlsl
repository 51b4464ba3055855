// Instruction-level parallelism 3: one chain, through an array that is indexed by data, so that it is not in registers.
// A specialization constant chooses the number of chains, so a pipeline has only one. Direct3D 12 chooses by an argument.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.4.
#include "ilp_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_ilp_args);
CHAINS_CONSTANT

[numthreads(BLOCK, 1, 1)]
void ilp(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups || tid >= args.threads) // a folded grid has groups too many at its end
    return;

  // [load] operands come from memory, so that nothing is known of them
  const uint x = g_idata[tid], a = g_idata[tid + 1], b = g_idata[tid + 2];
  const uint at = group * CHAINS * args.threads + tid;

  // [chains] from x to their ends
  switch (CHAINS) {
    ILP_CASES(ILP_INDEXED)
  }
}
