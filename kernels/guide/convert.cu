// Float to uint where no uint is near: saturating by hand (portable), and the cast alone (raw).
#include "guide.cuh"

// [portable] as in HLSL, though the intrinsic below does it alone
XB_GUIDE_ENTRY(GUIDE_BLOCK) portable(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const uint bits = g_in[i];
  uint result = 0;
  if (bits < 0x4f800000) // 0 to just below 2^32
    result = (uint)__uint_as_float(bits);
  else if (bits <= 0x7f800000) // up to infinity; above that are NaNs, then whatever is negative
    result = 0xffffffff;
  g_out[i] = result;
}

// [raw] C++ leaves the cast undefined; the intrinsic is defined, and saturates
XB_GUIDE_ENTRY(GUIDE_BLOCK) raw(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < args.n)
    g_out[i] = __float2uint_rz(__uint_as_float(g_in[i]));
}
