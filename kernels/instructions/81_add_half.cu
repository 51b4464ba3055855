// Instructions 81 to 83: on two float16 at a time.
// Each instruction has an entry point of its own: CUDA has templates where Vulkan has specialization constants.
// Source: ours; none of the documents has it.
#include "instructions_args.h"
#include "entry.cuh"
#include <cuda_fp16.h>

__device__ __forceinline__ half2 halves(uint word)
{
  return *reinterpret_cast<half2 *>(&word);
}

__device__ __forceinline__ uint word(half2 halves)
{
  return *reinterpret_cast<uint *>(&halves);
}

__device__ __forceinline__ half2 fma(half2 x, half2 y, half2 z)
{
  return __hfma2(x, y, z);
}

template <uint OPERATION, uint BLOCK>
__device__ __forceinline__ void instructions(const uint *__restrict__ g_idata, uint *g_odata, xb_instructions_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [load] operands come from memory, so that nothing is known of them
  half2 x = halves(g_idata[3 * i]);
  const half2 a = halves(g_idata[3 * i + 1]);
  const half2 b = halves(g_idata[3 * i + 2]);
  half2 first = x;

  // [apply] once, then in a chain
  switch (OPERATION) {
    HALF_OPERATIONS(APPLY_EXACT)
  }

  // [write] both results
  g_odata[2 * i] = word(first);
  g_odata[2 * i + 1] = word(x);
}

#define ENTRY(number, ...)                                                                                             \
  XB_KERNEL void instructions_##number(const uint *__restrict__ g_idata, uint *g_odata, xb_instructions_args args)     \
  {                                                                                                                    \
    instructions<number, BLOCK>(g_idata, g_odata, args);                                                               \
  }                                                                                                                    \
  XB_ENTRIES(instructions_##number, (const uint *__restrict__ g_idata, uint *g_odata, xb_instructions_args args),      \
             (g_idata, g_odata, args))
HALF_OPERATIONS(ENTRY)
