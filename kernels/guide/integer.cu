// Edge cases of integers: in the forms on which all APIs agree (portable), and in each API's own form (raw).
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [high product] built in: __umulhi

// [portable] the forms on which both agree
XB_GUIDE_ENTRY(GUIDE_BLOCK) portable(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const uint x = g_in[2 * i], s = g_in[2 * i + 1], at = 11 * i;
  g_out[at] = x << (s & 31);
  g_out[at + 1] = x >> (s & 31);
  g_out[at + 2] = (uint)((int)x >> (s & 31));
  g_out[at + 3] = s < 32 ? x << (s & 31) : 0;
  g_out[at + 4] = __clz((int)x);
  g_out[at + 5] = __ffs((int)x);
  g_out[at + 6] = __popc(x);
  g_out[at + 7] = __brev(x);
  g_out[at + 8] = __umulhi(x, s);
  g_out[at + 9] = s == 0 ? 0xffffffff : x / max(s, 1u);
  g_out[at + 10] = s == 0 ? 0xffffffff : x % max(s, 1u);
}

// [raw] a shift by 32 or more is undefined in C++; PTX's instructions clamp it to 32
XB_GUIDE_ENTRY(GUIDE_BLOCK) raw(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const uint x = g_in[2 * i], s = g_in[2 * i + 1];
  uint left, right;
  asm("shl.b32 %0, %1, %2;" : "=r"(left) : "r"(x), "r"(s));
  asm("shr.u32 %0, %1, %2;" : "=r"(right) : "r"(x), "r"(s));
  g_out[4 * i] = left;
  g_out[4 * i + 1] = right;
  g_out[4 * i + 2] = 31 - __clz((int)x); // HLSL: firstbithigh
  g_out[4 * i + 3] = __ffs((int)x) - 1;  // HLSL: firstbitlow
}

// [rests] % has the sign of the dividend
XB_GUIDE_ENTRY(GUIDE_BLOCK) rests(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const int a = (int)g_in[2 * i] >> 1, size = (int)(g_in[2 * i + 1] & 0x7fff) | 1;
  const int b = (g_in[2 * i + 1] & 0x8000) != 0 ? -size : size;
  const uint rest = (uint)abs(a) % (uint)abs(b);
  g_out[2 * i] = a < 0 ? 0 - rest : rest;
  g_out[2 * i + 1] = (uint)(a % b);
}
