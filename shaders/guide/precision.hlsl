// Functions whose last bits differ between APIs.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // bits of x and y
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [functions] of the language; the API allows larger errors
[numthreads(GUIDE_BLOCK, 1, 1)]
void functions(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const float x = asfloat(g_in[2 * id.x]), y = asfloat(g_in[2 * id.x + 1]);
  g_out[id.x] = asuint(x / y);
  g_out[args.n + id.x] = asuint(sqrt(x));
  g_out[2 * args.n + id.x] = asuint(rsqrt(x));
  g_out[3 * args.n + id.x] = asuint(sin(y));
  g_out[4 * args.n + id.x] = asuint(exp2(y));
  g_out[5 * args.n + id.x] = asuint(log2(x));
}
