// Instructions 71 to 77: on float64.
// Each instruction has an entry point of its own: CUDA has templates where Vulkan has specialization constants.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 6.3.1.
#include "instructions_args.h"
#include "entry.cuh"

template <uint OPERATION, uint BLOCK>
__device__ __forceinline__ void instructions(const double *__restrict__ g_idata, double *g_odata, xb_instructions_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [load] operands come from memory, so that nothing is known of them
  double x = g_idata[3 * i];
  const double a = g_idata[3 * i + 1], b = g_idata[3 * i + 2];
  double first = x;

  // [apply] once, then in a chain
  switch (OPERATION) {
    DOUBLE_OPERATIONS(APPLY_EXACT, APPLY_FUNCTION)
    CUDA_DOUBLE_OPERATIONS(APPLY_FUNCTION) // HLSL has none of these functions
  }

  // [write] both results
  g_odata[2 * i] = first;
  g_odata[2 * i + 1] = x;
}

#define ENTRY(number, ...)                                                                                             \
  XB_KERNEL void instructions_##number(const double *__restrict__ g_idata, double *g_odata, xb_instructions_args args) \
  {                                                                                                                    \
    instructions<number, BLOCK>(g_idata, g_odata, args);                                                               \
  }                                                                                                                    \
  XB_ENTRIES(instructions_##number, (const double *__restrict__ g_idata, double *g_odata, xb_instructions_args args),  \
             (g_idata, g_odata, args))
DOUBLE_OPERATIONS(ENTRY, ENTRY)
CUDA_DOUBLE_OPERATIONS(ENTRY)
