/* Functions of float and double. A GPU's own approximations (__expf, __sinf, rsqrtf) are exact functions here, so their
 * error on a GPU does not show. */
#pragma once

XB_CPU_FUNCTION float min(float a, float b) { return fminf(a, b); }
XB_CPU_FUNCTION float max(float a, float b) { return fmaxf(a, b); }
XB_CPU_FUNCTION double min(double a, double b) { return fmin(a, b); }
XB_CPU_FUNCTION double max(double a, double b) { return fmax(a, b); }
XB_CPU_FUNCTION double min(float a, double b) { return fmin(a, b); }
XB_CPU_FUNCTION double max(float a, double b) { return fmax(a, b); }
XB_CPU_FUNCTION double min(double a, float b) { return fmin(a, b); }
XB_CPU_FUNCTION double max(double a, float b) { return fmax(a, b); }

XB_CPU_FUNCTION unsigned int __float_as_uint(float x) { return xb_cpu::bits<unsigned int>(x); }
XB_CPU_FUNCTION int __float_as_int(float x) { return xb_cpu::bits<int>(x); }
XB_CPU_FUNCTION float __uint_as_float(unsigned int x) { return xb_cpu::bits<float>(x); }
XB_CPU_FUNCTION float __int_as_float(int x) { return xb_cpu::bits<float>(x); }
XB_CPU_FUNCTION long long __double_as_longlong(double x) { return xb_cpu::bits<long long>(x); }
XB_CPU_FUNCTION double __longlong_as_double(long long x) { return xb_cpu::bits<double>(x); }
XB_CPU_FUNCTION int __double2loint(double x) { return (int)(unsigned int)xb_cpu::bits<uint64_t>(x); }
XB_CPU_FUNCTION int __double2hiint(double x) { return (int)(unsigned int)(xb_cpu::bits<uint64_t>(x) >> 32); }
XB_CPU_FUNCTION double __hiloint2double(int high, int low)
{
  return xb_cpu::bits<double>((uint64_t)(unsigned int)high << 32 | (unsigned int)low);
}

/* Rounded to nearest, and never contracted: the compiler is not told to contract. */
XB_CPU_FUNCTION float __fadd_rn(float a, float b) { return a + b; }
XB_CPU_FUNCTION float __fsub_rn(float a, float b) { return a - b; }
XB_CPU_FUNCTION float __fmul_rn(float a, float b) { return a * b; }
XB_CPU_FUNCTION float __fdiv_rn(float a, float b) { return a / b; }
XB_CPU_FUNCTION float __frcp_rn(float x) { return 1 / x; }
XB_CPU_FUNCTION float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
XB_CPU_FUNCTION float __frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt(x)); }
XB_CPU_FUNCTION float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
XB_CPU_FUNCTION double __dadd_rn(double a, double b) { return a + b; }
XB_CPU_FUNCTION double __dsub_rn(double a, double b) { return a - b; }
XB_CPU_FUNCTION double __dmul_rn(double a, double b) { return a * b; }
XB_CPU_FUNCTION double __ddiv_rn(double a, double b) { return a / b; }
XB_CPU_FUNCTION double __drcp_rn(double x) { return 1 / x; }
XB_CPU_FUNCTION double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
XB_CPU_FUNCTION double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }

XB_CPU_FUNCTION float __saturatef(float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; } /* NaN: 0 */
XB_CPU_FUNCTION float __fdividef(float a, float b) { return a / b; }
XB_CPU_FUNCTION float fdividef(float a, float b) { return a / b; }
XB_CPU_FUNCTION float __expf(float x) { return expf(x); }
XB_CPU_FUNCTION float __exp10f(float x) { return exp10f(x); }
XB_CPU_FUNCTION float __logf(float x) { return logf(x); }
XB_CPU_FUNCTION float __log2f(float x) { return log2f(x); }
XB_CPU_FUNCTION float __log10f(float x) { return log10f(x); }
XB_CPU_FUNCTION float __powf(float x, float y) { return powf(x, y); }
XB_CPU_FUNCTION float __sinf(float x) { return sinf(x); }
XB_CPU_FUNCTION float __cosf(float x) { return cosf(x); }
XB_CPU_FUNCTION float __tanf(float x) { return tanf(x); }
XB_CPU_FUNCTION void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
XB_CPU_FUNCTION float rsqrtf(float x) { return (float)(1 / __builtin_sqrt(x)); }
XB_CPU_FUNCTION float rsqrt(float x) { return rsqrtf(x); }
XB_CPU_FUNCTION double rsqrt(double x) { return 1 / __builtin_sqrt(x); }
XB_CPU_FUNCTION float rcbrtf(float x) { return 1 / cbrtf(x); }
XB_CPU_FUNCTION float sinpif(float x)
{
  const double r = remainder(x, 2), folded = fabs(r) > 0.5 ? copysign(1, r) - r : r; /* so whole numbers give 0 */
  return (float)sin(3.14159265358979323846 * folded);
}
XB_CPU_FUNCTION float cospif(float x) { return (float)sin(3.14159265358979323846 * (0.5 - fabs(remainder(x, 2)))); }
XB_CPU_FUNCTION void sincospif(float x, float *s, float *c)
{
  *s = sinpif(x);
  *c = cospif(x);
}
XB_CPU_FUNCTION float rhypotf(float x, float y) { return (float)(1 / hypot((double)x, (double)y)); }
XB_CPU_FUNCTION float norm4df(float x, float y, float z, float w)
{
  return (float)hypot(hypot((double)x, (double)y), hypot((double)z, (double)w));
}
XB_CPU_FUNCTION float rnorm4df(float x, float y, float z, float w)
{
  return (float)(1 / hypot(hypot((double)x, (double)y), hypot((double)z, (double)w)));
}
XB_CPU_FUNCTION float norm3df(float x, float y, float z)
{
  return (float)sqrt((double)x * x + (double)y * y + (double)z * z);
}
XB_CPU_FUNCTION float rnorm3df(float x, float y, float z)
{
  return (float)(1 / sqrt((double)x * x + (double)y * y + (double)z * z));
}

/* Conversions, as PTX's cvt does them: beyond the range the nearest integer, NaN becomes 0. rn: to nearest, rz: to
 * zero, rd: down, ru: up. */
namespace xb_cpu
{
template <class I> __forceinline__ I to_integer(double x)
{
  const double above = (double)((I)1 << (sizeof(I) * 8 - 2)) * (std::is_signed_v<I> ? 2 : 4); /* the first beyond */
  const I least = std::is_signed_v<I> ? (I)((uint64_t)1 << (sizeof(I) * 8 - 1)) : 0, most = (I)~least;
  return x != x ? 0 : x >= above ? most : x <= (double)least ? least : (I)x;
}
} // namespace xb_cpu

/* What compilers call before a plain conversion beyond the range, (unsigned)-1.5f, which C++ leaves undefined. CUDA
 * saturates to 32 or 64 bits, and takes the low bits for fewer. Where the code makes something else, the launch ends:
 * clang++ saturates 32 and 64 bits (bench/compile/cplusplus.c), g++ none. */
#if !defined XB_CPU_WATCHES || !(XB_CPU_WATCHES & 2) /* XB_CPU_MEMORY: watch.cpp has a finding */
#define XB_CPU_UNCHECKED __attribute__((no_sanitize("float-cast-overflow")))
namespace xb_cpu
{
struct cast_type {
  uint16_t kind, info; /* an integer: 1 if it has a sign, and twice the logarithm of its bits; a float: its bits */
  char name[1];
};
struct cast {
  const char *file;
  uint32_t line, column;
  const cast_type *from, *to;
};
template <class Wide, class I> XB_CPU_UNCHECKED bool is_lost(double x)
{
  volatile double value = x;
  return (I)to_integer<Wide>(x) != (I)value;
}
} // namespace xb_cpu
extern "C" __attribute__((visibility("hidden"))) XB_CPU_UNCHECKED void
__ubsan_handle_float_cast_overflow(const xb_cpu::cast *c, uintptr_t bits)
{
  static bool (*const lost[])(double) = {
      xb_cpu::is_lost<unsigned int, unsigned char>,  xb_cpu::is_lost<int, signed char>,
      xb_cpu::is_lost<unsigned int, unsigned short>, xb_cpu::is_lost<int, short>,
      xb_cpu::is_lost<unsigned int, unsigned int>,   xb_cpu::is_lost<int, int>,
      xb_cpu::is_lost<uint64_t, uint64_t>,           xb_cpu::is_lost<int64_t, int64_t>};
  const unsigned int from = c->from->info, to = c->to->info - 6u; /* 8 bits, without a sign */
  const double x = from == 64 ? xb_cpu::bits<double>((uint64_t)bits) : xb_cpu::bits<float>((uint32_t)bits);
  char what[120];
  if (!xb_cpu::runtime || (from != 32 && from != 64) || to >= sizeof lost / sizeof *lost || !lost[to](x))
    return;
  __builtin_snprintf(what, sizeof what, "the conversion of %g to %.40s, which CUDA saturates,", x, c->to->name);
  xb_cpu::runtime->unsupported(what, c->file, c->line);
}
#endif
#define XB_CPU_TO_INTEGER(from, F, to, I)                                                                              \
  XB_CPU_FUNCTION I __##from##2##to##_rn(F x) { return xb_cpu::to_integer<I>(rint((double)x)); }                       \
  XB_CPU_FUNCTION I __##from##2##to##_rz(F x) { return xb_cpu::to_integer<I>(trunc((double)x)); }                      \
  XB_CPU_FUNCTION I __##from##2##to##_rd(F x) { return xb_cpu::to_integer<I>(floor((double)x)); }                      \
  XB_CPU_FUNCTION I __##from##2##to##_ru(F x) { return xb_cpu::to_integer<I>(ceil((double)x)); }
XB_CPU_TO_INTEGER(float, float, int, int)
XB_CPU_TO_INTEGER(float, float, uint, unsigned int)
XB_CPU_TO_INTEGER(float, float, ll, long long)
XB_CPU_TO_INTEGER(float, float, ull, unsigned long long)
XB_CPU_TO_INTEGER(double, double, int, int)
XB_CPU_TO_INTEGER(double, double, uint, unsigned int)
XB_CPU_TO_INTEGER(double, double, ll, long long)
XB_CPU_TO_INTEGER(double, double, ull, unsigned long long)
XB_CPU_FUNCTION float __int2float_rn(int x) { return (float)x; }
XB_CPU_FUNCTION float __uint2float_rn(unsigned int x) { return (float)x; }
XB_CPU_FUNCTION float __ll2float_rn(long long x) { return (float)x; }
XB_CPU_FUNCTION float __ull2float_rn(unsigned long long x) { return (float)x; }
XB_CPU_FUNCTION double __int2double_rn(int x) { return x; }
XB_CPU_FUNCTION double __uint2double_rn(unsigned int x) { return x; }
XB_CPU_FUNCTION double __ll2double_rn(long long x) { return (double)x; }
XB_CPU_FUNCTION double __ull2double_rn(unsigned long long x) { return (double)x; }
XB_CPU_FUNCTION float __double2float_rn(double x) { return (float)x; }
