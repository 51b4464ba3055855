/* Floating point of 8 bits and less, in software: e4m3 has no infinity and reaches 448, e5m2 is the upper half of a
 * half. What does not fit becomes the largest number, as CUDA's types have it (__NV_SATFINITE). */
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace xb_cpu
{
/* The largest number, without its sign. e5m2 alone has infinities, and e2m1 has no NaN. */
template <int E> constexpr int largest_code() { return E == 4 ? 126 : E == 5 ? 123 : 7; }

template <int E, int M> __forceinline__ float widen_8(unsigned int code)
{
  const int most = (1 << E) - 1, bias = (1 << (E - 1)) - 1, size = code & ((2 << (E + M - 1)) - 1);
  const int exponent = size >> M & most, mantissa = size & ((1 << M) - 1);
  const float sign = code >> (E + M) & 1 ? -1.0f : 1.0f;
  if (size > largest_code<E>())
    return E == 5 && !mantissa ? sign * __builtin_inff() : __builtin_nanf("");
  return sign * __builtin_ldexpf(exponent ? mantissa + (1 << M) : mantissa, (exponent ? exponent : 1) - bias - M);
}

/* Rounded to nearest even. */
template <int E, int M> __forceinline__ unsigned char narrow_8(double x, bool saturates)
{
  const int bias = (1 << (E - 1)) - 1, largest = largest_code<E>();
  const int sign = __builtin_signbit(x) ? 1 << (E + M) : 0;
  const double size = __builtin_fabs(x);
  if (x != x)
    return E == 2 ? largest : 127;
  const bool infinite = __builtin_isinf(size);
  const int exponent = !infinite && size >= __builtin_ldexp(1.0, 1 - bias) ? __builtin_ilogb(size) : 1 - bias;
  const double steps = infinite ? 0 : __builtin_nearbyint(__builtin_ldexp(size, M - exponent)); /* of the last bit */
  if (infinite || __builtin_ldexp(steps, exponent - M) > widen_8<E, M>(largest))
    return (unsigned char)(sign | (saturates || E == 2 ? largest : E == 4 ? 127 : 124));
  return (unsigned char)(sign | ((int)steps + (exponent + bias - 1) * (1 << M))); /* a carry raises the exponent */
}
} // namespace xb_cpu

#define XB_CPU_FP8(NAME, E, M)                                                                                         \
  struct NAME {                                                                                                        \
    __nv_fp8_storage_t __x;                                                                                            \
    NAME() = default;                                                                                                  \
    explicit NAME(float x) : __x(xb_cpu::narrow_8<E, M>(x, __NV_SATFINITE)) {}                                         \
    explicit NAME(double x) : __x(xb_cpu::narrow_8<E, M>(x, __NV_SATFINITE)) {}                                        \
    explicit NAME(__half x) : __x(xb_cpu::narrow_8<E, M>((float)x, __NV_SATFINITE)) {}                                 \
    explicit NAME(__nv_bfloat16 x) : __x(xb_cpu::narrow_8<E, M>((float)x, __NV_SATFINITE)) {}                          \
    explicit operator float() const { return xb_cpu::widen_8<E, M>(__x); }                                             \
    explicit operator double() const { return xb_cpu::widen_8<E, M>(__x); }                                            \
    explicit operator __half() const { return __half(xb_cpu::widen_8<E, M>(__x)); }                                    \
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(xb_cpu::widen_8<E, M>(__x)); }                      \
  };
XB_CPU_FP8(__nv_fp8_e4m3, 4, 3)
XB_CPU_FP8(__nv_fp8_e5m2, 5, 2)

XB_CPU_FUNCTION __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                          __nv_fp8_interpretation_t kind)
{
  return kind == __NV_E4M3 ? xb_cpu::narrow_8<4, 3>(x, saturation) : xb_cpu::narrow_8<5, 2>(x, saturation);
}
XB_CPU_FUNCTION __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t kind)
{
  return __nv_cvt_double_to_fp8(x, saturation, kind);
}
/* A power of two, 2^(x - 127). */
XB_CPU_FUNCTION __nv_bfloat16 __nv_cvt_e8m0_to_bf16raw(unsigned char x)
{
  return __nv_bfloat16(x == 255 ? __builtin_nanf("") : __builtin_ldexpf(1, x - 127));
}
