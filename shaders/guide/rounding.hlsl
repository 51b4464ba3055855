// CUDA's roundf takes halves away from 0; HLSL's round takes them to even.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // bits of floats
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [half away] the difference is exact, so nothing is rounded before the comparison
[numthreads(GUIDE_BLOCK, 1, 1)]
void half_away(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const float x = asfloat(g_in[id.x]), t = trunc(x);
  g_out[id.x] = asuint(abs(x - t) >= 0.5f ? t + sign(x) : t);
}

// [by adding] the wrong port: the sum is rounded before it is cut
[numthreads(GUIDE_BLOCK, 1, 1)]
void by_adding(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const float x = asfloat(g_in[id.x]);
  g_out[id.x] = asuint(trunc(x + (x < 0 ? -0.5f : 0.5f)));
}
