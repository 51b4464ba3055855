// Float to uint where no uint is near: saturating by hand (portable), and the cast alone (raw).
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // bits of floats
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [portable] what CUDA does by itself. By bits, because SPIR-V lets a compiler assume that there is no NaN and no infinity.
[numthreads(GUIDE_BLOCK, 1, 1)]
void portable(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const uint bits = g_in[id.x];
  uint result = 0;
  if (bits < 0x4f800000) // 0 to just below 2^32
    result = (uint)asfloat(bits);
  else if (bits <= 0x7f800000) // up to infinity; above that are NaNs, then whatever is negative
    result = 0xffffffff;
  g_out[id.x] = result;
}

// [raw] undefined in SPIR-V where the value does not fit; Direct3D saturates
[numthreads(GUIDE_BLOCK, 1, 1)]
void raw(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.n)
    g_out[id.x] = (uint)asfloat(g_in[id.x]);
}
