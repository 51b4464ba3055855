/* Arithmetic that rounds down, up or to zero, and functions that the host's library lacks. */
#pragma once
#include <fenv.h>

namespace xb_cpu
{
/* volatile: neither the operands are read before the mode is set, nor is the result computed after it is set back. */
template <class T, class F> __forceinline__ T rounded(int mode, T a, T b, T c, F f)
{
  volatile T x = a, y = b, z = c;
  const int before = fegetround();
  fesetround(mode);
  volatile T result = f((T)x, (T)y, (T)z);
  fesetround(before);
  return result;
}

/* erf(t) = y and erfc(t) = x by Newton's method; of the latter the logarithm, which is concave. */
inline double inverse_erf(double y);
inline double inverse_erfc(double x)
{
  if (!(x >= 0 && x <= 2))
    return __builtin_nan("");
  if (x == 0 || x > 1)
    return x == 0 ? __builtin_inf() : -inverse_erfc(2 - x);
  if (x > 0.5)
    return inverse_erf(1 - x);
  double t = sqrt(-log(x));
  for (int i = 0; i < 60; i++) {
    const double part = erfc(t), step = log(part / x) * part / (1.12837916709551257390 * exp(-t * t));
    t += step;
    if (fabs(step) <= 1e-16 * t)
      break;
  }
  return t;
}
inline double inverse_erf(double y)
{
  if (!(fabs(y) < 0.5))
    return y < 0 ? -inverse_erfc(1 + y) : inverse_erfc(1 - y);
  double t = y * 0.88622692545275801365;
  for (int i = 0; i < 8; i++)
    t -= (erf(t) - y) / (1.12837916709551257390 * exp(-t * t));
  return t;
}
inline double scaled_erfc(double x)
{
  if (x < 26) {
    const double square = x * x, rest = __builtin_fma(x, x, -square), all = exp(square) * erfc(x);
    return __builtin_isinf(all) ? all : all * (1 + rest);
  }
  const double q = 1 / (2 * x * x);
  return (1 - q * (1 - 3 * q * (1 - 5 * q * (1 - 7 * q * (1 - 9 * q))))) * 0.56418958354775628695 / x;
}
/* The series, whose terms have one sign. */
inline double bessel_i(int order, double x)
{
  double term = order ? x / 2 : 1, sum = 0;
  for (int k = 1; sum + term != sum && term == term; k++) {
    sum += term;
    term *= x / 2 / k * (x / 2 / (k + order));
  }
  return term == term ? sum : term;
}
} // namespace xb_cpu

#define XB_CPU_ROUNDED_TO(suffix, mode)                                                                                \
  XB_CPU_ROUNDED(f, float, suffix, mode)                                                                               \
  XB_CPU_ROUNDED(d, double, suffix, mode)                                                                              \
  XB_CPU_FUNCTION float __fmaf_##suffix(float a, float b, float c)                                                     \
  {                                                                                                                    \
    return xb_cpu::rounded(mode, a, b, c, [](float x, float y, float z) { return __builtin_fmaf(x, y, z); });          \
  }                                                                                                                    \
  XB_CPU_FUNCTION double __fma_##suffix(double a, double b, double c)                                                  \
  {                                                                                                                    \
    return xb_cpu::rounded(mode, a, b, c, [](double x, double y, double z) { return __builtin_fma(x, y, z); });        \
  }
#define XB_CPU_ROUNDED(f, T, suffix, mode)                                                                             \
  XB_CPU_ROUNDED_OP(f, T, add, suffix, mode, x + y)                                                                    \
  XB_CPU_ROUNDED_OP(f, T, sub, suffix, mode, x - y)                                                                    \
  XB_CPU_ROUNDED_OP(f, T, mul, suffix, mode, x *y)                                                                     \
  XB_CPU_ROUNDED_OP(f, T, div, suffix, mode, x / y)                                                                    \
  XB_CPU_FUNCTION T __##f##rcp_##suffix(T a) { return __##f##div_##suffix(1, a); }                                     \
  XB_CPU_FUNCTION T __##f##sqrt_##suffix(T a)                                                                          \
  {                                                                                                                    \
    return xb_cpu::rounded(mode, a, a, a, [](T x, T, T) { return sizeof(T) == 4 ? (T)sqrtf((float)x) : (T)sqrt(x); }); \
  }
#define XB_CPU_ROUNDED_OP(f, T, op, suffix, mode, expression)                                                          \
  XB_CPU_FUNCTION T __##f##op##_##suffix(T a, T b)                                                                     \
  {                                                                                                                    \
    return xb_cpu::rounded(mode, a, b, a, [](T x, T y, T) { return expression; });                                     \
  }
XB_CPU_ROUNDED_TO(rd, FE_DOWNWARD)
XB_CPU_ROUNDED_TO(ru, FE_UPWARD)
XB_CPU_ROUNDED_TO(rz, FE_TOWARDZERO)

#define XB_CPU_BOTH_TYPES(name, expression)                                                                            \
  XB_CPU_FUNCTION double name(double x) { return expression; }                                                         \
  XB_CPU_FUNCTION float name##f(float x_) { return (float)name((double)x_); }
XB_CPU_BOTH_TYPES(erfinv, xb_cpu::inverse_erf(x))
XB_CPU_BOTH_TYPES(erfcinv, xb_cpu::inverse_erfc(x))
XB_CPU_BOTH_TYPES(normcdfinv, -1.41421356237309504880 * xb_cpu::inverse_erfc(2 * x))
XB_CPU_BOTH_TYPES(erfcx, xb_cpu::scaled_erfc(x))
/* In double these would not be exact enough. */
XB_CPU_FUNCTION float normcdff(float x) { return (float)(erfc(x * -0.70710678118654752440) / 2); }
XB_CPU_FUNCTION float cyl_bessel_i0f(float x) { return (float)xb_cpu::bessel_i(0, x); }
XB_CPU_FUNCTION float cyl_bessel_i1f(float x) { return (float)xb_cpu::bessel_i(1, x); }
