// Instructions 42 to 63: powers of float32 by roots.
// Each instruction has an entry point of its own: CUDA has templates where Vulkan has specialization constants.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 11.1.5, Table 5.
#include "instructions_args.h"
#include "entry.cuh"

template <uint OPERATION, uint BLOCK>
__device__ __forceinline__ void instructions(const float *__restrict__ g_idata, float *g_odata, xb_instructions_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [load] operands come from memory, so that nothing is known of them
  float x = g_idata[3 * i];
  const float a = g_idata[3 * i + 1], b = g_idata[3 * i + 2];
  float first = x;

  // [apply] once, then in a chain
  switch (OPERATION) {
    POWER_OPERATIONS(APPLY_FUNCTION)
    CUDA_OPERATIONS(APPLY_FUNCTION) // HLSL has none of these functions
  }

  // [write] both results
  g_odata[2 * i] = first;
  g_odata[2 * i + 1] = x;
}

#define ENTRY(number, ...)                                                                                             \
  XB_KERNEL void instructions_##number(const float *__restrict__ g_idata, float *g_odata, xb_instructions_args args)   \
  {                                                                                                                    \
    instructions<number, BLOCK>(g_idata, g_odata, args);                                                               \
  }                                                                                                                    \
  XB_ENTRIES(instructions_##number, (const float *__restrict__ g_idata, float *g_odata, xb_instructions_args args),    \
             (g_idata, g_odata, args))
POWER_OPERATIONS(ENTRY)
CUDA_OPERATIONS(ENTRY)
