// The high 64 bits of a product of 64-bit numbers.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [by hand] built in: __umul64hi
XB_GUIDE_ENTRY(GUIDE_BLOCK) words(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const unsigned long long x = g_in[4 * i] | (unsigned long long)g_in[4 * i + 1] << 32;
  const unsigned long long y = g_in[4 * i + 2] | (unsigned long long)g_in[4 * i + 3] << 32;
  const unsigned long long product = __umul64hi(x, y);
  g_out[2 * i] = (uint)product;
  g_out[2 * i + 1] = (uint)(product >> 32);
}

// [wide] as in HLSL with 64-bit integers, although the intrinsic does the same
XB_GUIDE_ENTRY(GUIDE_BLOCK) wide(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const unsigned long long xl = g_in[4 * i], xh = g_in[4 * i + 1], yl = g_in[4 * i + 2], yh = g_in[4 * i + 3];
  const unsigned long long middle = xh * yl + ((xl * yl) >> 32);
  const uint low = (uint)middle;
  const unsigned long long carry = low + xl * yh;
  const unsigned long long product = xh * yh + (middle >> 32) + (carry >> 32);
  g_out[2 * i] = (uint)product;
  g_out[2 * i + 1] = (uint)(product >> 32);
}
