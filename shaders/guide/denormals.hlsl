// Denormal numbers: arithmetic may flush them to zero; moving their bits does not change them.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // bits of x and y; x * y is a denormal
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [arithmetic] kept or flushed in SPIR-V, flushed by Direct3D; a value that is moved as uint does not change
[numthreads(GUIDE_BLOCK, 1, 1)]
void arithmetic(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const float x = asfloat(g_in[2 * id.x]), y = asfloat(g_in[2 * id.x + 1]);
  g_out[3 * id.x] = asuint(x * y);
  g_out[3 * id.x + 1] = asuint(x + x);
  g_out[3 * id.x + 2] = g_in[2 * id.x];
}
