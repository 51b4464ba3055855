// Dot products of packed halves, without a device feature: halves are unpacked to floats.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // two halves in a word; pairs of words
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [unpack]
float2 unpack(uint word)
{
  return float2(f16tof32(word), f16tof32(word >> 16));
}

// [dot products] products of halves are exact in float, so one rounding is left
[numthreads(GUIDE_BLOCK, 1, 1)]
void dots(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const float2 a = unpack(g_in[2 * id.x]), b = unpack(g_in[2 * id.x + 1]);
  g_out[id.x] = asuint(a.x * b.x + a.y * b.y);
}
