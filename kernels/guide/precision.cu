// Functions whose last bits differ between APIs.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [functions] of the CUDA library, each with an error bound; -use_fast_math selects others
XB_GUIDE_ENTRY(GUIDE_BLOCK) functions(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const float x = __uint_as_float(g_in[2 * i]), y = __uint_as_float(g_in[2 * i + 1]);
  g_out[i] = __float_as_uint(x / y);
  g_out[args.n + i] = __float_as_uint(sqrtf(x));
  g_out[2 * args.n + i] = __float_as_uint(rsqrtf(x));
  g_out[3 * args.n + i] = __float_as_uint(sinf(y));
  g_out[4 * args.n + i] = __float_as_uint(exp2f(y));
  g_out[5 * args.n + i] = __float_as_uint(log2f(x));
}
