// Dot products of four bytes, without Shader Model 6.4: CUDA's __dp4a.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // pairs of words of four bytes
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [unsigned]
uint dot_of_bytes(uint a, uint b, uint sum)
{
  for (uint shift = 0; shift < 32; shift += 8)
    sum += ((a >> shift) & 0xff) * ((b >> shift) & 0xff);
  return sum;
}

// [signed] a byte moved to the top, then back, keeps its sign
int dot_of_signed_bytes(uint a, uint b, int sum)
{
  for (uint shift = 0; shift < 32; shift += 8)
    sum += (asint(a << (24 - shift)) >> 24) * (asint(b << (24 - shift)) >> 24);
  return sum;
}

// [dot products]
[numthreads(GUIDE_BLOCK, 1, 1)]
void dots(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const uint a = g_in[2 * id.x], b = g_in[2 * id.x + 1];
  g_out[2 * id.x] = dot_of_bytes(a, b, args.a);
  g_out[2 * id.x + 1] = asuint(dot_of_signed_bytes(a, b, asint(args.a)));
}
