// The high 32 bits of a product, which HLSL has no function for.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [by hand] from four products of 16-bit halves
__device__ uint high_product(uint x, uint y)
{
  const uint a = x >> 16, b = x & 0xffff, c = y >> 16, d = y & 0xffff;
  const uint middle = a * d + ((b * d) >> 16); // at most 2^32 - 2^16 - 1
  const uint carry = (middle & 0xffff) + b * c;
  return a * c + (middle >> 16) + (carry >> 16);
}

// [halves] as in HLSL, although the intrinsic below does the same
XB_GUIDE_ENTRY(GUIDE_BLOCK) halves(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < args.n)
    g_out[i] = high_product(g_in[2 * i], g_in[2 * i + 1]);
}

// [instruction] an intrinsic
XB_GUIDE_ENTRY(GUIDE_BLOCK) instruction(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < args.n)
    g_out[i] = __umulhi(g_in[2 * i], g_in[2 * i + 1]);
}
