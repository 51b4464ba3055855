/* Floating point of 16 bits, in software: E bits of exponent, M of mantissa. A double is rounded once, to nearest even.
 */
#pragma once

namespace xb_cpu
{
template <int E, int M> __forceinline__ float widen(unsigned int h)
{
  constexpr unsigned int most = (1u << E) - 1, bias = (1u << (E - 1)) - 1;
  const unsigned int sign = (h >> (E + M) & 1) << 31, exponent = h >> M & most, mantissa = h & ((1u << M) - 1);
  if constexpr (E == 8)
    return bits<float>(h << 16);
  if (exponent == 0)
    return bits<float>(bits<unsigned int>((float)mantissa * (1.0f / (float)(1u << (bias - 1 + M)))) | sign);
  return bits<float>(sign | (exponent == most ? 255u : exponent + 127 - bias) << 23 | mantissa << (23 - M));
}

template <int E, int M> __forceinline__ unsigned short narrow(double x)
{
  constexpr int bias = (1 << (E - 1)) - 1;
  const uint64_t u = bits<uint64_t>(x), mantissa = u & ((1ull << 52) - 1);
  const unsigned int sign = (unsigned int)(u >> 63) << (E + M), infinite = ((1u << E) - 1) << M;
  const int exponent = (int)(u >> 52 & 2047) - 1023;
  if (exponent == 1024)
    return (unsigned short)(mantissa ? 0x7FFF : sign | infinite); /* CUDA's NaN */
  if (exponent > bias)
    return (unsigned short)(sign | infinite);
  const bool small = exponent < 1 - bias;
  const int cut = 52 - M + (small ? 1 - bias - exponent : 0);
  if (cut > 53)
    return (unsigned short)sign;
  const uint64_t all = small ? mantissa | 1ull << 52 : mantissa, rest = all & ((1ull << cut) - 1),
                 half = 1ull << (cut - 1);
  unsigned int h = (unsigned int)(all >> cut) + (small ? 0 : (unsigned int)(exponent + bias) << M);
  h += rest > half || (rest == half && (h & 1));
  return (unsigned short)(sign | h);
}

/* a * b + c for numbers of 16 bits, so that narrow() rounds it right: the product is exact, and the sum is rounded to
 * odd. */
__forceinline__ double fused(double a, double b, double c)
{
  const double product = a * b, sum = product + c, part = sum - product;
  const double error = (product - (sum - part)) + (c - part);
  uint64_t u = bits<uint64_t>(sum);
  if (error != 0 && error == error && !(u & 1))
    u += (error > 0) == (sum > 0) ? 1 : -1;
  return bits<double>(u);
}
} // namespace xb_cpu

/* What half and bfloat16 have in common. NAME: the type; PAIR: two of them. */
#define XB_CPU_NARROW(NAME, PAIR, E, M)                                                                                \
  struct alignas(2) NAME {                                                                                             \
    unsigned short xb_bits;                                                                                            \
    NAME() = default;                                                                                                  \
    NAME(float x) : xb_bits(xb_cpu::narrow<E, M>(x)) {}                                                                \
    NAME(double x) : xb_bits(xb_cpu::narrow<E, M>(x)) {}                                                               \
    NAME(int x) : xb_bits(xb_cpu::narrow<E, M>(x)) {}                                                                  \
    NAME(unsigned int x) : xb_bits(xb_cpu::narrow<E, M>(x)) {}                                                         \
    NAME(long long x) : xb_bits(xb_cpu::narrow<E, M>((double)x)) {}                                                    \
    NAME(unsigned long long x) : xb_bits(xb_cpu::narrow<E, M>((double)x)) {}                                           \
    operator float() const { return xb_cpu::widen<E, M>(xb_bits); }                                                    \
    NAME &operator+=(NAME o) { return *this = NAME((float)*this + (float)o); }                                         \
    NAME &operator-=(NAME o) { return *this = NAME((float)*this - (float)o); }                                         \
    NAME &operator*=(NAME o) { return *this = NAME((float)*this * (float)o); }                                         \
    NAME &operator/=(NAME o) { return *this = NAME((float)*this / (float)o); }                                         \
  };                                                                                                                   \
  struct alignas(4) PAIR {                                                                                             \
    NAME x, y;                                                                                                         \
    PAIR() = default;                                                                                                  \
    PAIR(NAME a, NAME b) : x(a), y(b) {}                                                                               \
    PAIR &operator+=(PAIR o) { return *this = PAIR(x += o.x, y += o.y); }                                              \
    PAIR &operator-=(PAIR o) { return *this = PAIR(x -= o.x, y -= o.y); }                                              \
    PAIR &operator*=(PAIR o) { return *this = PAIR(x *= o.x, y *= o.y); }                                              \
    PAIR &operator/=(PAIR o) { return *this = PAIR(x /= o.x, y /= o.y); }                                              \
  };                                                                                                                   \
  XB_CPU_NARROW_OPERATOR(NAME, PAIR, +, __hadd)                                                                        \
  XB_CPU_NARROW_OPERATOR(NAME, PAIR, -, __hsub)                                                                        \
  XB_CPU_NARROW_OPERATOR(NAME, PAIR, *, __hmul)                                                                        \
  XB_CPU_NARROW_OPERATOR(NAME, PAIR, /, __hdiv)                                                                        \
  XB_CPU_NARROW_COMPARE(NAME, PAIR, ==, __heq, __hbeq2)                                                                \
  XB_CPU_NARROW_COMPARE(NAME, PAIR, !=, __hne, __hbne2)                                                                \
  XB_CPU_NARROW_COMPARE(NAME, PAIR, <, __hlt, __hblt2)                                                                 \
  XB_CPU_NARROW_COMPARE(NAME, PAIR, <=, __hle, __hble2)                                                                \
  XB_CPU_NARROW_COMPARE(NAME, PAIR, >, __hgt, __hbgt2)                                                                 \
  XB_CPU_NARROW_COMPARE(NAME, PAIR, >=, __hge, __hbge2)                                                                \
  XB_CPU_FUNCTION bool __hisnan(NAME a) { return (float)a != (float)a; }                                               \
  XB_CPU_FUNCTION NAME xb_from_bits(NAME, unsigned int u)                                                              \
  {                                                                                                                    \
    NAME n;                                                                                                            \
    n.xb_bits = (unsigned short)u;                                                                                     \
    return n;                                                                                                          \
  }                                                                                                                    \
  XB_CPU_FUNCTION NAME __hneg(NAME a) { return xb_from_bits(a, a.xb_bits ^ 0x8000u); }                                 \
  XB_CPU_FUNCTION NAME __habs(NAME a) { return xb_from_bits(a, a.xb_bits & 0x7FFFu); }                                 \
  XB_CPU_FUNCTION NAME operator-(NAME a) { return __hneg(a); }                                                         \
  XB_CPU_FUNCTION PAIR __hneg2(PAIR a) { return PAIR(__hneg(a.x), __hneg(a.y)); }                                      \
  XB_CPU_FUNCTION PAIR __habs2(PAIR a) { return PAIR(__habs(a.x), __habs(a.y)); }                                      \
  XB_CPU_FUNCTION PAIR operator-(PAIR a) { return __hneg2(a); }                                                        \
  XB_CPU_FUNCTION NAME __hfma(NAME a, NAME b, NAME c) { return NAME(xb_cpu::fused((float)a, (float)b, (float)c)); }    \
  XB_CPU_FUNCTION PAIR __hfma2(PAIR a, PAIR b, PAIR c) { return PAIR(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }  \
  XB_CPU_FUNCTION NAME __hmin(NAME a, NAME b) { return NAME(fminf(a, b)); }                                            \
  XB_CPU_FUNCTION NAME __hmax(NAME a, NAME b) { return NAME(fmaxf(a, b)); }                                            \
  XB_CPU_FUNCTION PAIR __hmin2(PAIR a, PAIR b) { return PAIR(__hmin(a.x, b.x), __hmin(a.y, b.y)); }                    \
  XB_CPU_FUNCTION PAIR __hmax2(PAIR a, PAIR b) { return PAIR(__hmax(a.x, b.x), __hmax(a.y, b.y)); }                    \
  XB_CPU_FUNCTION NAME hsqrt(NAME a) { return NAME(__builtin_sqrtf(a)); }                                              \
  XB_CPU_FUNCTION NAME hrsqrt(NAME a) { return NAME(1 / __builtin_sqrt((float)a)); }                                   \
  XB_CPU_FUNCTION NAME hrcp(NAME a) { return NAME(1 / (float)a); }                                                     \
  XB_CPU_FUNCTION NAME hexp(NAME a) { return NAME(exp((double)(float)a)); }                                            \
  XB_CPU_FUNCTION NAME hexp2(NAME a) { return NAME(exp2((double)(float)a)); }                                          \
  XB_CPU_FUNCTION NAME hlog(NAME a) { return NAME(log((double)(float)a)); }                                            \
  XB_CPU_FUNCTION NAME hlog2(NAME a) { return NAME(log2((double)(float)a)); }                                          \
  XB_CPU_FUNCTION NAME hsin(NAME a) { return NAME(sin((double)(float)a)); }                                            \
  XB_CPU_FUNCTION NAME hcos(NAME a) { return NAME(cos((double)(float)a)); }                                            \
  XB_CPU_FUNCTION NAME hfloor(NAME a) { return NAME(floorf(a)); }                                                      \
  XB_CPU_FUNCTION NAME hceil(NAME a) { return NAME(ceilf(a)); }                                                        \
  XB_CPU_FUNCTION NAME hrint(NAME a) { return NAME(rintf(a)); }                                                        \
  XB_CPU_FUNCTION NAME htrunc(NAME a) { return NAME(truncf(a)); }                                                      \
  XB_CPU_FUNCTION PAIR h2sqrt(PAIR a) { return PAIR(hsqrt(a.x), hsqrt(a.y)); }                                         \
  XB_CPU_FUNCTION float __low2float(PAIR a) { return a.x; }                                                            \
  XB_CPU_FUNCTION float __high2float(PAIR a) { return a.y; }                                                           \
  XB_CPU_FUNCTION NAME atomicAdd(NAME *at, NAME value)                                                                 \
  {                                                                                                                    \
    xb_cpu::tick();                                                                                                    \
    return xb_cpu::modify(at, __ATOMIC_RELAXED, [&](NAME old) { return old + value; });                                \
  }                                                                                                                    \
  XB_CPU_FUNCTION PAIR atomicAdd(PAIR *at, PAIR value) /* CUDA: each half by itself */                                 \
  {                                                                                                                    \
    xb_cpu::tick();                                                                                                    \
    return xb_cpu::modify(at, __ATOMIC_RELAXED, [&](PAIR old) { return old + value; });                                \
  }

#define XB_CPU_NARROW_OPERATOR(NAME, PAIR, op, function)                                                               \
  XB_CPU_FUNCTION NAME operator op(NAME a, NAME b) { return NAME((float)a op(float) b); }                              \
  XB_CPU_FUNCTION NAME function(NAME a, NAME b) { return a op b; }                                                     \
  XB_CPU_FUNCTION NAME function##_rn(NAME a, NAME b) { return a op b; }                                                \
  XB_CPU_FUNCTION PAIR operator op(PAIR a, PAIR b) { return PAIR(a.x op b.x, a.y op b.y); }                            \
  XB_CPU_FUNCTION PAIR function##2(PAIR a, PAIR b) { return a op b; }                                                  \
  XB_CPU_FUNCTION PAIR function##2_rn(PAIR a, PAIR b) { return a op b; }

#define XB_CPU_NARROW_COMPARE(NAME, PAIR, op, function, all)                                                           \
  XB_CPU_FUNCTION bool operator op(NAME a, NAME b) { return (float)a op(float) b; }                                    \
  XB_CPU_FUNCTION bool function(NAME a, NAME b) { return a op b; }                                                     \
  XB_CPU_FUNCTION PAIR function##2(PAIR a, PAIR b)                                                                     \
  {                                                                                                                    \
    return PAIR(NAME(a.x op b.x ? 1 : 0), NAME(a.y op b.y ? 1 : 0));                                                   \
  }                                                                                                                    \
  XB_CPU_FUNCTION bool all(PAIR a, PAIR b) { return a.x op b.x && a.y op b.y; }

/* The words that have the type in their names. N: "half" or "bfloat16"; P: "half2" or "bfloat162". */
#define XB_CPU_NARROW_WORDS(NAME, PAIR, N, P)                                                                          \
  XB_CPU_FUNCTION float __##N##2float(NAME x) { return x; }                                                            \
  XB_CPU_FUNCTION NAME __float2##N(float x) { return NAME(x); }                                                        \
  XB_CPU_FUNCTION NAME __float2##N##_rn(float x) { return NAME(x); }                                                   \
  XB_CPU_FUNCTION NAME __double2##N(double x) { return NAME(x); }                                                      \
  XB_CPU_FUNCTION NAME __int2##N##_rn(int x) { return NAME(x); }                                                       \
  XB_CPU_FUNCTION NAME __uint2##N##_rn(unsigned int x) { return NAME(x); }                                             \
  XB_CPU_FUNCTION int __##N##2int_rn(NAME x) { return __float2int_rn(x); }                                             \
  XB_CPU_FUNCTION int __##N##2int_rz(NAME x) { return __float2int_rz(x); }                                             \
  XB_CPU_FUNCTION unsigned int __##N##2uint_rn(NAME x) { return __float2uint_rn(x); }                                  \
  XB_CPU_FUNCTION unsigned int __##N##2uint_rz(NAME x) { return __float2uint_rz(x); }                                  \
  XB_CPU_FUNCTION unsigned short __##N##_as_ushort(NAME x) { return x.xb_bits; }                                       \
  XB_CPU_FUNCTION short __##N##_as_short(NAME x) { return (short)x.xb_bits; }                                          \
  XB_CPU_FUNCTION NAME __ushort_as_##N(unsigned short x) { return xb_from_bits(NAME(), x); }                           \
  XB_CPU_FUNCTION NAME __short_as_##N(short x) { return xb_from_bits(NAME(), (unsigned short)x); }                     \
  XB_CPU_FUNCTION PAIR make_##P(NAME x, NAME y) { return PAIR(x, y); }                                                 \
  XB_CPU_FUNCTION PAIR __halves2##P(NAME x, NAME y) { return PAIR(x, y); }                                             \
  XB_CPU_FUNCTION PAIR __##N##2##P(NAME x) { return PAIR(x, x); }                                                      \
  XB_CPU_FUNCTION PAIR __float2##P##_rn(float x) { return PAIR(NAME(x), NAME(x)); }                                    \
  XB_CPU_FUNCTION PAIR __floats2##P##_rn(float x, float y) { return PAIR(NAME(x), NAME(y)); }                          \
  XB_CPU_FUNCTION PAIR __float22##P##_rn(float2 v) { return PAIR(NAME(v.x), NAME(v.y)); }                              \
  XB_CPU_FUNCTION float2 __##P##2float2(PAIR v) { return float2{v.x, v.y}; }                                           \
  XB_CPU_FUNCTION NAME __low2##N(PAIR v) { return v.x; }                                                               \
  XB_CPU_FUNCTION NAME __high2##N(PAIR v) { return v.y; }                                                              \
  XB_CPU_FUNCTION PAIR __low2##P(PAIR v) { return PAIR(v.x, v.x); }                                                    \
  XB_CPU_FUNCTION PAIR __high2##P(PAIR v) { return PAIR(v.y, v.y); }                                                   \
  XB_CPU_FUNCTION PAIR __lows2##P(PAIR a, PAIR b) { return PAIR(a.x, b.x); }                                           \
  XB_CPU_FUNCTION PAIR __highs2##P(PAIR a, PAIR b) { return PAIR(a.y, b.y); }                                          \
  XB_CPU_FUNCTION PAIR __lowhigh2highlow(PAIR v) { return PAIR(v.y, v.x); }
