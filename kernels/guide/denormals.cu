// Denormal numbers: arithmetic may flush them to zero; moving their bits does not change them.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [arithmetic] kept, except with nvcc's -ftz=true
XB_GUIDE_ENTRY(GUIDE_BLOCK) arithmetic(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const float x = __uint_as_float(g_in[2 * i]), y = __uint_as_float(g_in[2 * i + 1]);
  g_out[3 * i] = __float_as_uint(x * y);
  g_out[3 * i + 1] = __float_as_uint(x + x);
  g_out[3 * i + 2] = g_in[2 * i];
}
