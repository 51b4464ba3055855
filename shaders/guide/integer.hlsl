// Edge cases of integers: in the forms on which all APIs agree (portable), and in each API's own form (raw).
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // pairs: a number, and a shift or divisor
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [high product] CUDA's __umulhi, from 16-bit halves: SM 6.0 does not guarantee 64-bit integers
uint high_product(uint x, uint y)
{
  const uint a = x >> 16, b = x & 0xffff, c = y >> 16, d = y & 0xffff;
  const uint middle = a * d + ((b * d) >> 16); // at most 2^32 - 2^16 - 1
  const uint carry = (middle & 0xffff) + b * c;
  return a * c + (middle >> 16) + (carry >> 16);
}

// [portable] the forms on which both agree
[numthreads(GUIDE_BLOCK, 1, 1)]
void portable(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const uint x = g_in[2 * id.x], s = g_in[2 * id.x + 1], at = 11 * id.x;
  g_out[at] = x << (s & 31);
  g_out[at + 1] = x >> (s & 31);
  g_out[at + 2] = asuint(asint(x) >> (s & 31));
  g_out[at + 3] = s < 32 ? x << (s & 31) : 0;
  g_out[at + 4] = 31 - firstbithigh(x); // 32 for 0
  g_out[at + 5] = firstbitlow(x) + 1;   // 0 for 0
  g_out[at + 6] = countbits(x);
  g_out[at + 7] = reversebits(x);
  g_out[at + 8] = high_product(x, s);
  g_out[at + 9] = s == 0 ? 0xffffffff : x / max(s, 1); // ?: may evaluate both sides, so neither may divide by 0
  g_out[at + 10] = s == 0 ? 0xffffffff : x % max(s, 1);
}

// [raw] undefined in SPIR-V where s is 32 or more; Direct3D uses the lowest 5 bits of s
[numthreads(GUIDE_BLOCK, 1, 1)]
void raw(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const uint x = g_in[2 * id.x], s = g_in[2 * id.x + 1];
  g_out[4 * id.x] = x << s;
  g_out[4 * id.x + 1] = x >> s;
  g_out[4 * id.x + 2] = firstbithigh(x);
  g_out[4 * id.x + 3] = firstbitlow(x);
}

// [rests] % of negative numbers is undefined in HLSL and in Vulkan; the first form equals CUDA's % everywhere. a - a / b * b does
// not: DXC makes a % of it
[numthreads(GUIDE_BLOCK, 1, 1)]
void rests(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const int a = asint(g_in[2 * id.x]) >> 1, size = asint(g_in[2 * id.x + 1] & 0x7fff) | 1;
  const int b = (g_in[2 * id.x + 1] & 0x8000) != 0 ? -size : size;
  const uint rest = (uint)abs(a) % (uint)abs(b);
  g_out[2 * id.x] = a < 0 ? 0 - rest : rest;
  g_out[2 * id.x + 1] = asuint(a % b);
}
