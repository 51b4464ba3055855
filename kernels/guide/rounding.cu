// CUDA's roundf takes halves away from 0; HLSL's round takes them to even.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [half away] built in
XB_GUIDE_ENTRY(GUIDE_BLOCK) half_away(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < args.n)
    g_out[i] = __float_as_uint(roundf(__uint_as_float(g_in[i])));
}

// [by adding] the wrong port: the sum is rounded before it is cut
XB_GUIDE_ENTRY(GUIDE_BLOCK) by_adding(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const float x = __uint_as_float(g_in[i]);
  g_out[i] = __float_as_uint(truncf(x + (x < 0 ? -0.5f : 0.5f)));
}
