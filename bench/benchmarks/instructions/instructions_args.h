/* Arguments of the instructions kernels, and the instructions, for C, CUDA and HLSL. */
#ifndef XB_INSTRUCTIONS_ARGS_H
#define XB_INSTRUCTIONS_ARGS_H

#include "xb/abi.h"

struct xb_instructions_args {
  xb_u32 n;         /* threads that have operands */
  xb_u32 rounds;    /* of unrolled steps, for each thread */
  xb_u32 operation; /* Direct3D 12 only: it has no specialization constants, CUDA an entry point for each */
  xb_u32 grid_x;    /* groups in x; the rest is in y */
};

/* Names that differ between the languages. FAST_ functions are CUDA's intrinsics, and HLSL's only ones. */
#if defined(__CUDACC__)
#define MAD(x, y, z) fma(x, y, z)
#define FAST_DIVIDE(x, y) __fdividef(x, y)
#define FAST_SIN(x) __sinf(x)
#define FAST_EXP(x) __expf(x)
#define FAST_LOG(x) __logf(x)
#define FAST_LOG2(x) __log2f(x)
#define FAST_POW(x, y) __powf(x, y)
#define SIN(x) sinf(x)
#define EXP(x) expf(x)
#define EXP2(x) exp2f(x)
#define LOG(x) logf(x)
#define POW(x, y) powf(x, y)
#define SQRT(x) sqrtf(x)
#define RSQRT(x) rsqrtf(x)
#define TO_FLOAT(x) static_cast<float>(x)
#define TO_UINT(x) static_cast<uint>(x)
#define MIN(x, y) min(x, y)
#define MAX(x, y) max(x, y)
#define DOT4(x, y, z) __dp4a(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z))
#elif defined(XB_GLSLC) || defined(__HLSL_VERSION)
#define MAD(x, y, z) mad(x, y, z)
#define DOT4(x, y, z) dot4add_i8packed(x, y, z)
#define FAST_DIVIDE(x, y) ((x) / (y))
#define FAST_SIN(x) sin(x)
#define FAST_EXP(x) exp(x)
#define FAST_LOG(x) log(x)
#define FAST_LOG2(x) log2(x)
#define FAST_POW(x, y) pow(x, y)
#define SIN(x) sin(x)
#define EXP(x) exp(x)
#define EXP2(x) exp2(x)
#define LOG(x) log(x)
#define POW(x, y) pow(x, y)
#define SQRT(x) sqrt(x)
#define RSQRT(x) rsqrt(x)
#define TO_FLOAT(x) float(x)
#define TO_UINT(x) uint(x)
#define MIN(x, y) min(x, y)
#define MAX(x, y) max(x, y)
#if defined(XB_GLSLC) || defined(__spirv__)
#define OPERATION_CONSTANT [[vk::constant_id(0)]] const uint OPERATION = 0;
#else
#define OPERATION_CONSTANT
#define OPERATION args.operation
#endif
#endif

/* The instructions: EXACT(number of the row, steps that are unrolled, a step), where the next step takes the result in
 * place of x, and FUNCTION(number, unrolled, f), where it takes f * a + b: with a small a, errors of the steps do not
 * add up. Without the xor, compilers could make one addition of many; it costs as much as an addition.
 * Where many steps are unrolled, the loop's own instructions would take part of the time: functions leave them room. */
/* clang-format off */
#define INTEGER_OPERATIONS(EXACT)                                                                                      \
  EXACT(1, 32, (x + a) ^ b)                                                                                            \
  EXACT(2, 64, x * a + b)                                                                                              \
  EXACT(3, 32, (x * a) ^ b)                                                                                            \
  EXACT(4, 32, (x >> a) ^ b)                                                                                           \
  EXACT(5, 32, MIN(x, a) ^ b)                                                                                          \
  EXACT(6, 32, MAX(x, a) ^ b)                                                                                          \
  EXACT(7, 4, (x / a) ^ b)                                                                                             \
  EXACT(8, 4, (x % a) ^ b)                                                                                             \
  EXACT(9, 4, (x / 7) ^ b)                                                                                             \
  EXACT(10, 4, (x % 7) ^ b)                                                                                            \
  EXACT(11, 32, TO_UINT(TO_FLOAT(x)) ^ b)

#define FLOAT_OPERATIONS(EXACT, FUNCTION)                                                                              \
  EXACT(21, 64, x + b)                                                                                                 \
  EXACT(22, 64, x * b)                                                                                                 \
  EXACT(23, 64, MAD(x, a, b))                                                                                          \
  EXACT(24, 32, MIN(x, a) + b)                                                                                         \
  FUNCTION(25, 4, FAST_DIVIDE(1.0f, x))                                                                                \
  FUNCTION(26, 4, FAST_DIVIDE(b, x))                                                                                   \
  FUNCTION(27, 4, b / x)                                                                                               \
  FUNCTION(28, 4, x / 3.0f)                                                                                            \
  FUNCTION(29, 4, RSQRT(x))                                                                                            \
  FUNCTION(30, 4, SQRT(x))                                                                                             \
  FUNCTION(31, 4, FAST_SIN(x))                                                                                         \
  FUNCTION(32, 4, SIN(x))                                                                                              \
  FUNCTION(33, 4, SIN(x))                                                                                              \
  FUNCTION(34, 4, FAST_EXP(x))                                                                                         \
  FUNCTION(35, 4, EXP(x))                                                                                              \
  FUNCTION(36, 4, EXP2(x))                                                                                             \
  FUNCTION(37, 4, FAST_LOG(x))                                                                                         \
  FUNCTION(38, 4, LOG(x))                                                                                              \
  FUNCTION(39, 4, FAST_LOG2(x))                                                                                        \
  FUNCTION(40, 4, FAST_POW(x, b))                                                                                      \
  FUNCTION(41, 4, POW(x, b))                                                                                           \
  EXACT(64, 64, MAD(x, b, b))

/* Powers by roots. */
#define POWER_OPERATIONS(FUNCTION)                                                                                     \
  FUNCTION(42, 4, RSQRT(RSQRT(x)))                                                                                     \
  FUNCTION(43, 4, SQRT(RSQRT(x)))                                                                                      \
  FUNCTION(44, 4, SQRT(x) * SQRT(SQRT(x)))                                                                             \
  FUNCTION(45, 4, RSQRT(x) * SQRT(RSQRT(x)))                                                                           \
  FUNCTION(46, 4, x * RSQRT(RSQRT(x)))                                                                                 \
  FUNCTION(47, 4, (1 / x) * SQRT(RSQRT(x)))                                                                            \
  FUNCTION(48, 4, x * SQRT(x))                                                                                         \
  FUNCTION(49, 4, (1 / x) * RSQRT(x))

/* What HLSL has no function for. */
#define CUDA_OPERATIONS(FUNCTION)                                                                                      \
  FUNCTION(51, 4, exp10f(x))                                                                                           \
  FUNCTION(52, 4, cbrtf(x))                                                                                            \
  FUNCTION(53, 4, rcbrtf(x))                                                                                           \
  FUNCTION(54, 4, rcbrtf(rcbrtf(x)))                                                                                   \
  FUNCTION(55, 4, cbrtf(rcbrtf(x)))                                                                                    \
  FUNCTION(56, 4, rcbrtf(rsqrtf(x)))                                                                                   \
  FUNCTION(57, 4, rcbrtf(sqrtf(x)))                                                                                    \
  FUNCTION(58, 4, cbrtf(x) * cbrtf(x))                                                                                 \
  FUNCTION(59, 4, rcbrtf(x) * rcbrtf(x))                                                                               \
  FUNCTION(60, 4, x * rcbrtf(rsqrtf(x)))                                                                               \
  FUNCTION(61, 4, (1 / x) * rcbrtf(sqrtf(x)))                                                                          \
  FUNCTION(62, 4, x * cbrtf(x))                                                                                        \
  FUNCTION(63, 4, (1 / x) * rcbrtf(x))

#define DOUBLE_OPERATIONS(EXACT, FUNCTION)                                                                             \
  EXACT(71, 64, x + b)                                                                                                 \
  EXACT(72, 64, x * b)                                                                                                 \
  EXACT(73, 64, MAD(x, a, b))                                                                                          \
  FUNCTION(74, 4, b / x)

/* HLSL's functions take no doubles. */
#define CUDA_DOUBLE_OPERATIONS(FUNCTION)                                                                               \
  FUNCTION(75, 4, sqrt(x))                                                                                             \
  FUNCTION(76, 2, sin(x))                                                                                              \
  FUNCTION(77, 2, exp(x))

/* Two halves in a word. */
#define HALF_OPERATIONS(EXACT)                                                                                         \
  EXACT(81, 64, x + b)                                                                                                 \
  EXACT(82, 64, x * b)                                                                                                 \
  EXACT(83, 64, MAD(x, a, b))

/* Four signed bytes in a word: their products with those of a, added to b. */
#define DOT_OPERATIONS(EXACT) EXACT(91, 32, DOT4(x, a, b))
/* clang-format on */

/* Steps are repeated in the text: where glslc unrolls a loop, most of its copies are no longer `precise`, and NVIDIA's
 * compiler then makes x + 2b of two additions. */
#define REPEAT_2(step) step step
#define REPEAT_4(step) REPEAT_2(step) REPEAT_2(step)
#define REPEAT_8(step) REPEAT_4(step) REPEAT_4(step)
#define REPEAT_16(step) REPEAT_8(step) REPEAT_8(step)
#define REPEAT_32(step) REPEAT_16(step) REPEAT_16(step)
#define REPEAT_64(step) REPEAT_32(step) REPEAT_32(step)

/* The text of a kernel: the result of one instruction, whose error is checked, then the chain. */
#define APPLY(number, times, once, step)                                                                               \
  case number: {                                                                                                       \
    first = once;                                                                                                      \
    for (uint r = 0; r < args.rounds; r++) {                                                                           \
      REPEAT_##times(x = step;)                                                                                        \
    }                                                                                                                  \
    break;                                                                                                             \
  }
#define APPLY_EXACT(number, times, step) APPLY(number, times, step, step)
#define APPLY_FUNCTION(number, times, f) APPLY(number, times, f, MAD(f, a, b))

#endif
