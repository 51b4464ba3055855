// The largest of many floats, negative ones too: in warps, in the group, and over all groups by an atomic.
// Source: ours; none of the documents has it.
#include "guide.cuh"

#include <math_constants.h>

// [key] an order of uints that is the order of floats
__device__ __forceinline__ uint key_of(uint bits)
{
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000;
}

// [largest] lanes without an element have -INFINITY, not 0
XB_GUIDE_ENTRY(GUIDE_BLOCK) largest(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  __shared__ uint largest_key;
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    largest_key = 0;
  __syncthreads();
  float x = -INFINITY; // or CUDART_INF_F
  if (i < args.n)
    x = __uint_as_float(g_in[i]);
  for (uint s = 16; s > 0; s >>= 1)
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, s));
  if (threadIdx.x % warpSize == 0)
    atomicMax(&largest_key, key_of(__float_as_uint(x)));
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMax(&g_out[0], largest_key);
}
