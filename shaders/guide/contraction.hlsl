// a * b + c, rounded once (fused) or twice.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // bits of a, b, c
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [plain] the compiler may fuse
[numthreads(GUIDE_BLOCK, 1, 1)]
void plain(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const float a = asfloat(g_in[3 * id.x]), b = asfloat(g_in[3 * id.x + 1]), c = asfloat(g_in[3 * id.x + 2]);
  g_out[id.x] = asuint(a * b + c);
}

// [apart] `precise` forbids it; in CUDA: __fmul_rn and __fadd_rn
[numthreads(GUIDE_BLOCK, 1, 1)]
void apart(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const float a = asfloat(g_in[3 * id.x]), b = asfloat(g_in[3 * id.x + 1]), c = asfloat(g_in[3 * id.x + 2]);
  precise float product = a * b;
  precise float sum = product + c;
  g_out[id.x] = asuint(sum);
}

// [fused] HLSL has no fma for float, only for double. Use [apart] where results must be the same on both

// [mad] may fuse or not
[numthreads(GUIDE_BLOCK, 1, 1)]
void mad_(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const float a = asfloat(g_in[3 * id.x]), b = asfloat(g_in[3 * id.x + 1]), c = asfloat(g_in[3 * id.x + 2]);
  g_out[id.x] = asuint(mad(a, b, c));
}
