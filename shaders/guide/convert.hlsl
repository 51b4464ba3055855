// Float to uint, out of range, too: saturated by hand (portable), and with the cast alone (raw).
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // bits of floats
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [portable] as CUDA's intrinsic. It compares bits: SPIR-V lets a compiler assume that no NaN or infinity occurs
[numthreads(GUIDE_BLOCK, 1, 1)]
void portable(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const uint bits = g_in[id.x];
  uint result = 0;
  if (bits < 0x4f800000) // 0 to just below 2^32
    result = (uint)asfloat(bits);
  else if (bits <= 0x7f800000) // up to infinity; above are NaNs, then negative numbers
    result = 0xffffffff;
  g_out[id.x] = result;
}

// [raw] undefined in SPIR-V and in HLSL where the value does not fit; Direct3D 11 saturated
[numthreads(GUIDE_BLOCK, 1, 1)]
void raw(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.n)
    g_out[id.x] = (uint)asfloat(g_in[id.x]);
}
