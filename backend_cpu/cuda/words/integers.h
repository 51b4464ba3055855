/* Integer functions. */
#pragma once

#define XB_CPU_FUNCTION __forceinline__

XB_CPU_FUNCTION int __popc(unsigned int x) { return __builtin_popcount(x); }
XB_CPU_FUNCTION int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
XB_CPU_FUNCTION int __ffs(int x) { return __builtin_ffs(x); }
XB_CPU_FUNCTION int __ffsll(long long x) { return __builtin_ffsll(x); }
XB_CPU_FUNCTION int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
XB_CPU_FUNCTION int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
XB_CPU_FUNCTION unsigned int __brev(unsigned int x)
{
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
  return __builtin_bswap32(x);
}
XB_CPU_FUNCTION unsigned long long __brevll(unsigned long long x)
{
  return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}

/* The place of the n-th set bit from `base` on, upwards or, for a negative n, downwards; none: all bits. */
XB_CPU_FUNCTION unsigned int __fns(unsigned int mask, unsigned int base, int n)
{
  if (!n)
    return base < 32 && mask >> base & 1 ? base : ~0u;
  for (int left = n < 0 ? -n : n; base < 32; base += n < 0 ? ~0u : 1u)
    if ((mask >> base & 1) && !--left)
      return base;
  return ~0u;
}

XB_CPU_FUNCTION unsigned int __umulhi(unsigned int a, unsigned int b) { return (unsigned int)((uint64_t)a * b >> 32); }
XB_CPU_FUNCTION int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
XB_CPU_FUNCTION unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
XB_CPU_FUNCTION long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
XB_CPU_FUNCTION unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xFFFFFFu) * (b & 0xFFFFFFu); }
XB_CPU_FUNCTION int __mul24(int a, int b)
{
  return (int)((unsigned int)((int)((unsigned int)a << 8) >> 8) * (unsigned int)((int)((unsigned int)b << 8) >> 8));
}
XB_CPU_FUNCTION int __hadd(int a, int b) { return (int)(((int64_t)a + b) >> 1); }
XB_CPU_FUNCTION int __rhadd(int a, int b) { return (int)(((int64_t)a + b + 1) >> 1); }
XB_CPU_FUNCTION unsigned int __uhadd(unsigned int a, unsigned int b) { return (unsigned int)(((uint64_t)a + b) >> 1); }
XB_CPU_FUNCTION unsigned int __urhadd(unsigned int a, unsigned int b)
{
  return (unsigned int)(((uint64_t)a + b + 1) >> 1);
}
XB_CPU_FUNCTION unsigned int __usad(unsigned int a, unsigned int b, unsigned int c)
{
  return (a < b ? b - a : a - b) + c;
}
XB_CPU_FUNCTION unsigned int __sad(int a, int b, unsigned int c)
{
  return (a < b ? (unsigned int)b - (unsigned int)a : (unsigned int)a - (unsigned int)b) + c;
}

/* Each nibble of the selector takes one of the 8 bytes; with its top bit, that byte's sign in all bits. */
XB_CPU_FUNCTION unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector)
{
  const uint64_t all = (uint64_t)b << 32 | a;
  unsigned int result = 0;
  for (unsigned int i = 0; i < 4; i++) {
    const unsigned int pick = selector >> 4 * i & 15;
    unsigned int byte = (unsigned int)(all >> 8 * (pick & 7)) & 255;
    if (pick & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}
XB_CPU_FUNCTION unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by)
{
  return (unsigned int)((((uint64_t)high << 32 | low) << (by & 31)) >> 32);
}
XB_CPU_FUNCTION unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by)
{
  return (unsigned int)(((uint64_t)high << 32 | low) >> (by & 31));
}
XB_CPU_FUNCTION unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by)
{
  return by >= 32 ? low : __funnelshift_l(low, high, by);
}
XB_CPU_FUNCTION unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by)
{
  return by >= 32 ? high : __funnelshift_r(low, high, by);
}

/* Sums of products of bytes (dp4a) and of two 16-bit numbers with two bytes (dp2a). */
namespace xb_cpu
{
template <class A, class B, class C> __forceinline__ C dot4(unsigned int a, unsigned int b, C c)
{
  unsigned int sum = (unsigned int)c;
  for (unsigned int i = 0; i < 32; i += 8)
    sum += (unsigned int)((int)(A)(a >> i & 255) * (int)(B)(b >> i & 255));
  return (C)sum;
}
template <class A, class B, class C> __forceinline__ C dot2(unsigned int a, unsigned int b, C c)
{
  unsigned int sum = (unsigned int)c;
  for (unsigned int i = 0; i < 2; i++)
    sum += (unsigned int)((int)(A)(a >> 16 * i & 65535) * (int)(B)(b >> 8 * i & 255));
  return (C)sum;
}
} // namespace xb_cpu
XB_CPU_FUNCTION int __dp4a(int a, int b, int c)
{
  return xb_cpu::dot4<int8_t, int8_t>((unsigned int)a, (unsigned int)b, c);
}
XB_CPU_FUNCTION unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
  return xb_cpu::dot4<uint8_t, uint8_t>(a, b, c);
}
XB_CPU_FUNCTION int __dp4a(char4 a, char4 b, int c) { return __dp4a(xb_cpu::bits<int>(a), xb_cpu::bits<int>(b), c); }
XB_CPU_FUNCTION unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
  return __dp4a(xb_cpu::bits<unsigned int>(a), xb_cpu::bits<unsigned int>(b), c);
}
XB_CPU_FUNCTION int __dp2a_lo(int a, int b, int c)
{
  return xb_cpu::dot2<int16_t, int8_t>((unsigned int)a, (unsigned int)b, c);
}
XB_CPU_FUNCTION int __dp2a_hi(int a, int b, int c)
{
  return xb_cpu::dot2<int16_t, int8_t>((unsigned int)a, (unsigned int)b >> 16, c);
}
XB_CPU_FUNCTION int __dp2a_lo(short2 a, char4 b, int c)
{
  return __dp2a_lo(xb_cpu::bits<int>(a), xb_cpu::bits<int>(b), c);
}
XB_CPU_FUNCTION int __dp2a_hi(short2 a, char4 b, int c)
{
  return __dp2a_hi(xb_cpu::bits<int>(a), xb_cpu::bits<int>(b), c);
}
XB_CPU_FUNCTION unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c)
{
  return xb_cpu::dot2<uint16_t, uint8_t>(a, b, c);
}
XB_CPU_FUNCTION unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c)
{
  return xb_cpu::dot2<uint16_t, uint8_t>(a, b >> 16, c);
}
XB_CPU_FUNCTION unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c)
{
  return __dp2a_lo(xb_cpu::bits<unsigned int>(a), xb_cpu::bits<unsigned int>(b), c);
}
XB_CPU_FUNCTION unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c)
{
  return __dp2a_hi(xb_cpu::bits<unsigned int>(a), xb_cpu::bits<unsigned int>(b), c);
}

/* The smaller and the larger, as CUDA has them for pairs of types. A NaN gives way to a number. */
#define XB_CPU_MIN_MAX(A, B, R)                                                                                        \
  XB_CPU_FUNCTION R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; }                                                \
  XB_CPU_FUNCTION R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
XB_CPU_MIN_MAX(int, int, int)
XB_CPU_MIN_MAX(unsigned int, unsigned int, unsigned int)
XB_CPU_MIN_MAX(int, unsigned int, unsigned int)
XB_CPU_MIN_MAX(unsigned int, int, unsigned int)
XB_CPU_MIN_MAX(long, long, long)
XB_CPU_MIN_MAX(unsigned long, unsigned long, unsigned long)
XB_CPU_MIN_MAX(long, unsigned long, unsigned long)
XB_CPU_MIN_MAX(unsigned long, long, unsigned long)
XB_CPU_MIN_MAX(long long, long long, long long)
XB_CPU_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
XB_CPU_MIN_MAX(long long, unsigned long long, unsigned long long)
XB_CPU_MIN_MAX(unsigned long long, long long, unsigned long long)
XB_CPU_FUNCTION unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
XB_CPU_FUNCTION unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
XB_CPU_FUNCTION long long llmin(long long a, long long b) { return min(a, b); }
XB_CPU_FUNCTION long long llmax(long long a, long long b) { return max(a, b); }
XB_CPU_FUNCTION unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
XB_CPU_FUNCTION unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
