// Float to uint, out of range, too: saturated by hand (portable), and with the cast alone (raw).
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [portable] as in HLSL, although the intrinsic below does the same
XB_GUIDE_ENTRY(GUIDE_BLOCK) portable(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const uint bits = g_in[i];
  uint result = 0;
  if (bits < 0x4f800000) // 0 to just below 2^32
    result = (uint)__uint_as_float(bits);
  else if (bits <= 0x7f800000) // up to infinity; above are NaNs, then negative numbers
    result = 0xffffffff;
  g_out[i] = result;
}

// [raw] the cast is undefined in C++; the intrinsic is defined and saturates
XB_GUIDE_ENTRY(GUIDE_BLOCK) raw(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < args.n)
    g_out[i] = __float2uint_rz(__uint_as_float(g_in[i]));
}
