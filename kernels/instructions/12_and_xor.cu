// Instructions 12 to 17: on integers, as a programmer may choose.
// Each instruction has an entry point of its own: CUDA has templates where Vulkan has specialization constants.
// Source: NVIDIA, CUDA C++ Best Practices Guide, sections 11.1.1 and 11.1.2.
#include "arithmetic_args.h"
#include "entry.cuh"

template <uint OPERATION, uint BLOCK>
__device__ __forceinline__ void instructions(const uint *__restrict__ g_idata, uint *g_odata, xb_instructions_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [load] operands come from memory, so that nothing is known of them
  uint x = g_idata[3 * i];
  const uint a = g_idata[3 * i + 1], b = g_idata[3 * i + 2];
  uint first = x;

  // [apply] once, then in a chain
  switch (OPERATION) {
    WORD_ARITHMETIC(APPLY_EXACT)
    LOOP_ARITHMETIC(APPLY_LOOP)
  }

  // [write] both results
  g_odata[2 * i] = first;
  g_odata[2 * i + 1] = x;
}

#define ENTRY(number, ...)                                                                                             \
  XB_KERNEL void instructions_##number(const uint *__restrict__ g_idata, uint *g_odata, xb_instructions_args args)     \
  {                                                                                                                    \
    instructions<number, BLOCK>(g_idata, g_odata, args);                                                               \
  }                                                                                                                    \
  XB_ENTRIES(instructions_##number, (const uint *__restrict__ g_idata, uint *g_odata, xb_instructions_args args),      \
             (g_idata, g_odata, args))
WORD_ARITHMETIC(ENTRY)
LOOP_ARITHMETIC(ENTRY)
