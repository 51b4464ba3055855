// The high 64 bits of a product of 64-bit numbers. Shader Model 6.0 does not guarantee 64-bit integers.
// Source: ours; none of the documents has it.
#include "guide_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_in : register(t0); // low and high word of x, then of y
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_out : register(u1); // low and high word
XB_ARGS(xb_guide_args);

// [by hand] from 32-bit products, themselves from 16-bit halves
uint high32(uint x, uint y)
{
  const uint a = x >> 16, b = x & 0xffff, c = y >> 16, d = y & 0xffff;
  const uint middle = a * d + ((b * d) >> 16);
  const uint carry = (middle & 0xffff) + b * c;
  return a * c + (middle >> 16) + (carry >> 16);
}
uint carry_of(uint a, uint b) // of a + b
{
  return a + b < a ? 1 : 0;
}
uint2 high64(uint2 x, uint2 y)
{
  const uint p = x.x * y.y, q = x.y * y.x, low = high32(x.x, y.x), middle = low + p;
  const uint2 high = uint2(x.y * y.y, high32(x.y, y.y));
  const uint a = high32(x.x, y.y), b = high32(x.y, y.x), third = carry_of(low, p) + carry_of(middle, q);
  const uint ab = a + b, abt = ab + third, sum = high.x + abt;
  return uint2(sum, high.y + carry_of(a, b) + carry_of(ab, third) + carry_of(high.x, abt));
}

[numthreads(GUIDE_BLOCK, 1, 1)]
void words(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const uint at = 4 * id.x;
  const uint2 product = high64(uint2(g_in[at], g_in[at + 1]), uint2(g_in[at + 2], g_in[at + 3]));
  g_out[2 * id.x] = product.x;
  g_out[2 * id.x + 1] = product.y;
}

// [wide] with 64-bit integers, which need shaderInt64 on Vulkan and Int64ShaderOps on Direct3D 12
[numthreads(GUIDE_BLOCK, 1, 1)]
void wide(uint3 id : SV_DispatchThreadID)
{
  if (id.x >= args.n)
    return;
  const uint64_t xl = g_in[4 * id.x], xh = g_in[4 * id.x + 1], yl = g_in[4 * id.x + 2], yh = g_in[4 * id.x + 3];
  const uint64_t middle = xh * yl + ((xl * yl) >> 32);
  const uint low = (uint)middle; // not `middle & 0xffffffff`: glslang takes the number for -1
  const uint64_t carry = low + xl * yh;
  const uint64_t product = xh * yh + (middle >> 32) + (carry >> 32);
  g_out[2 * id.x] = (uint)product;
  g_out[2 * id.x + 1] = (uint)(product >> 32);
}
