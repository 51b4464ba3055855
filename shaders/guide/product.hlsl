// The high 32 bits of a product, which HLSL has no function for.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // pairs
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1);
XB_ARGS(xb_guide_args);

// [by hand] from four products of 16-bit halves
uint high_product(uint x, uint y)
{
  const uint a = x >> 16, b = x & 0xffff, c = y >> 16, d = y & 0xffff;
  const uint middle = a * d + ((b * d) >> 16); // at most 2^32 - 2^16 - 1
  const uint carry = (middle & 0xffff) + b * c;
  return a * c + (middle >> 16) + (carry >> 16);
}

// [halves] every compiler, Direct3D 12, too
[numthreads(GUIDE_BLOCK, 1, 1)]
void halves(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.n)
    g_out[id.x] = high_product(g_in[2 * id.x], g_in[2 * id.x + 1]);
}

// [instruction] DXC for Vulkan calls any instruction of SPIR-V
#ifdef __spirv__
struct words {
  uint low, high;
};
[[vk::ext_instruction(151)]] words multiply_extended(uint a, uint b); // OpUMulExtended
uint high_word(uint a, uint b)
{
  return multiply_extended(a, b).high;
}
#else
uint high_word(uint a, uint b)
{
  return high_product(a, b);
}
#endif
[numthreads(GUIDE_BLOCK, 1, 1)]
void instruction(uint3 id : SV_DispatchThreadID)
{
  if (id.x < args.n)
    g_out[id.x] = high_word(g_in[2 * id.x], g_in[2 * id.x + 1]);
}
