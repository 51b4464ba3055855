// Instruction-level parallelism 3: one chain, through an array that is indexed by data, so that it is not in registers.
// Each number of chains has an entry point of its own: CUDA has templates where Vulkan has specialization constants.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.4.
#include "ilp_args.h"
#include "entry.cuh"

template <uint CHAINS>
__device__ __forceinline__ void ilp(const uint *__restrict__ g_idata, uint *g_odata, xb_ilp_args args)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
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

#define ENTRY(chains, ...)                                                                                             \
  XB_KERNEL void ilp_##chains(const uint *__restrict__ g_idata, uint *g_odata, xb_ilp_args args)                       \
  {                                                                                                                    \
    ilp<chains>(g_idata, g_odata, args);                                                                               \
  }                                                                                                                    \
  XB_ENTRIES(ilp_##chains, (const uint *__restrict__ g_idata, uint *g_odata, xb_ilp_args args), (g_idata, g_odata, args))
ILP_CASES(ENTRY)
