// Dot products of packed halves: halves are unpacked to floats.
// Source: ours; none of the documents has it.
#include "guide.cuh"

#include <cuda_fp16.h>

// [unpack]
__device__ __forceinline__ float2 unpack(uint word)
{
  return __half22float2(*reinterpret_cast<const __half2 *>(&word));
}

// [dot products] products of halves are exact in float, so one rounding is left
XB_GUIDE_ENTRY(GUIDE_BLOCK) dots(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const float2 a = unpack(g_in[2 * i]), b = unpack(g_in[2 * i + 1]);
  g_out[i] = __float_as_uint(a.x * b.x + a.y * b.y);
}
