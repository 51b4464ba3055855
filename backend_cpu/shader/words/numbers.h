/* Numbers: functions by the type of their argument, conversions, bits. */

#ifdef __FLT16_MAX__
typedef _Float16 xb_half;
#else
#define xb_half XB_THIS_COMPILER_HAS_NO_FLOAT16 /* gcc from 12 on has it, clang from 15 on */
#endif

/* A function of C, for double or else for float: XB_F(sin, x). */
#define XB_F(name, ...) XB_F_OF(name, __VA_ARGS__, 0)(__VA_ARGS__)
#define XB_F_OF(name, x, ...) _Generic((x), double : name, default : name##f)

#define XB_NAN64(bits) __builtin_nan(#bits)
#define XB_NAN32(bits) __builtin_nanf(#bits)
#define XB_NAN16(bits) ((xb_half)__builtin_nanf(""))

#define XB_IS_INF(x) ((x) == (x) && (x) - (x) != 0)
#define XB_SIGN_BIT(x) _Generic((x), double : signbit(x), default : signbit((float)(x)))
#define XB_FREM(a, b) XB_F(fmod, a, b)
#define XB_FMOD(a, b) ((a) - (b)*XB_F(floor, (a) / (b)))
#define XB_SMOD(T, a, b)                                                                                               \
  ({                                                                                                                   \
    const T b_ = (T)(b), r_ = (T)((T)(a) % b_);                                                                        \
    (T)(r_ != 0 && (r_ < 0) != (b_ < 0) ? r_ + b_ : r_);                                                               \
  })
#define XB_SMOOTH(T, low, high, x)                                                                                     \
  ({                                                                                                                   \
    const T part_ = ((x) - (low)) / ((high) - (low)), t_ = part_ < 0 ? 0 : part_ > 1 ? 1 : part_;                      \
    t_ *t_ *(3 - 2 * t_);                                                                                              \
  })
#define XB_MODF(T, x, whole) ((whole) = (T)XB_F(trunc, x), XB_IS_INF(x) ? (T)XB_F(copysign, (T)0, x) : (x) - (whole))
#define XB_FREXP(T, x, exponent)                                                                                       \
  ({                                                                                                                   \
    int e_ = 0;                                                                                                        \
    const T part_ = (T)XB_F(frexp, x, &e_);                                                                            \
    (exponent) = (__typeof__(exponent))e_;                                                                             \
    part_;                                                                                                             \
  })

/* To the nearest that the type has; NaN becomes 0. SPIR-V leaves both undefined. */
#define XB_FLOAT_TO_UINT(T, x)                                                                                         \
  ({                                                                                                                   \
    const double x_ = (double)(x);                                                                                     \
    !(x_ > 0) ? (T)0 : x_ >= (double)(T)-1 ? (T)-1 : (T)x_;                                                            \
  })
#define XB_FLOAT_TO_INT(T, bits, x)                                                                                    \
  ({                                                                                                                   \
    const double x_ = (double)(x), end_ = (double)(1ull << ((bits)-1));                                                \
    x_ != x_ ? (T)0 : x_ < -end_ ? (T)(1ull << ((bits)-1)) : x_ >= end_ ? (T)((1ull << ((bits)-1)) - 1) : (T)x_;       \
  })
#define XB_SATURATE_INT(x, bits)                                                                                       \
  ({                                                                                                                   \
    const __int128 end_ = (__int128)1 << ((bits)-1);                                                                   \
    (x) < -end_ ? -end_ : (x) >= end_ ? end_ - 1 : (x);                                                                \
  })
#define XB_SATURATE_UINT(x, bits)                                                                                      \
  ({                                                                                                                   \
    const __int128 end_ = (__int128)1 << (bits);                                                                       \
    (x) < 0 ? 0 : (x) >= end_ ? end_ - 1 : (x);                                                                        \
  })

XB_INLINE uint64_t xb_reverse(uint64_t x, uint32_t bits)
{
  uint64_t reversed = 0;
  for (uint32_t i = 0; i < bits; i++)
    reversed |= (x >> i & 1) << (bits - 1 - i);
  return reversed;
}
XB_INLINE uint64_t xb_ones(uint64_t n)
{
  return n >= 64 ? ~0ull : (1ull << n) - 1;
}
XB_INLINE int32_t xb_top_bit(uint64_t x)
{
  return x ? 63 - __builtin_clzll(x) : -1;
}
XB_INLINE uint32_t xb_bits_of(float f)
{
  uint32_t bits;
  __builtin_memcpy(&bits, &f, 4);
  return bits;
}
XB_INLINE float xb_float_of(uint32_t bits)
{
  float f;
  __builtin_memcpy(&f, &bits, 4);
  return f;
}

/* Halves as words, without _Float16: to the nearest, ties to even. */
XB_INLINE uint32_t xb_half_of(float f)
{
  const uint32_t b = xb_bits_of(f), sign = b >> 16 & 0x8000, x = b & 0x7fffffff;
  if (x > 0x7f800000)
    return sign | 0x7e00;
  if (x >= 0x47800000)
    return sign | 0x7c00;
  if (x < 0x38800000)
    return sign | (uint32_t)rintf(fabsf(f) * 0x1p24f);
  return sign | ((x - 0x38000000 + 0xfff + (x >> 13 & 1)) >> 13);
}
XB_INLINE float xb_of_half(uint32_t h)
{
  const uint32_t exponent = h >> 10 & 31, part = h & 1023;
  if (!exponent)
    return h & 0x8000 ? -((float)part * 0x1p-24f) : (float)part * 0x1p-24f;
  return xb_float_of((h & 0x8000) << 16 | (exponent == 31 ? 255u : exponent + 112) << 23 | part << 13);
}
/* What is too small for a half without denormals becomes 0. */
XB_INLINE float xb_quantize(float f)
{
  const float half = xb_of_half(xb_half_of(f));
  return fabsf(half) < 0x1p-14f ? copysignf(0, f) : half;
}
