// Instructions 21 to 41, and 64: on float32.
// Each instruction has an entry point of its own: CUDA has templates where Vulkan has specialization constants.
// Source: NVIDIA, Optimizing CUDA, slide 'Arithmetic Instruction Throughput'.
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
    FLOAT_OPERATIONS(APPLY_EXACT, APPLY_FUNCTION)
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
FLOAT_OPERATIONS(ENTRY, ENTRY)
