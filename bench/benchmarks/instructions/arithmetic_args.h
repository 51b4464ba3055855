/* More instructions: what a programmer or a compiler's flag may choose, for C, CUDA and HLSL (CUDA C++ Best Practices
 * Guide, sections 11.1.1 to 11.1.7). Their lists are as those of instructions_args.h. */
#ifndef XB_ARITHMETIC_ARGS_H
#define XB_ARITHMETIC_ARGS_H

#include "instructions_args.h"

#if defined(__CUDACC__)
#define AS_INT8(x) static_cast<uint>(static_cast<signed char>(x))
#define AS_INT16(x) static_cast<uint>(static_cast<short>(x))
#define COS(x) cosf(x)
static __device__ __forceinline__ float sine_and_cosine(float x)
{
  float s, c;
  sincosf(x, &s, &c);
  return s + c;
}
#elif defined(XB_GLSLC) || defined(__HLSL_VERSION)
#define AS_INT8(x) uint(int((x) << 24) >> 24)
#define AS_INT16(x) uint(int((x) << 16) >> 16)
#define COS(x) cos(x)
float sine_and_cosine(float x)
{
  float s, c;
  sincos(x, s, c);
  return s + c;
}
#endif

/* clang-format off */
#define WORD_ARITHMETIC(EXACT)                                                                                         \
  EXACT(12, 32, (x & (a - 1)) ^ b)                                                                                     \
  EXACT(13, 32, (AS_INT8(x) + a) ^ b)                                                                                  \
  EXACT(14, 32, (AS_INT16(x) + a) ^ b)                                                                                 \
  EXACT(17, 4, (x % a) ^ b)

/* LOOP(number, steps that are unrolled, a step, type of the counter): the counter chooses what is read. */
#define LOOP_ARITHMETIC(LOOP)                                                                                          \
  LOOP(15, 1, (x ^ b) + a, uint)                                                                                       \
  LOOP(16, 1, (x ^ b) + a, int)

#define FLOAT_ARITHMETIC(FUNCTION)                                                                                     \
  FUNCTION(65, 4, x * 1.1f)                                                                                            \
  FUNCTION(66, 4, x * x)                                                                                               \
  FUNCTION(67, 4, POW(x, 2.0f))                                                                                        \
  FUNCTION(68, 4, x * x * x)                                                                                           \
  FUNCTION(69, 4, POW(x, 3.0f))                                                                                        \
  FUNCTION(70, 4, 1.0f / SQRT(x))                                                                                      \
  FUNCTION(84, 4, SIN(x) + COS(x))                                                                                     \
  FUNCTION(85, 4, sine_and_cosine(x))                                                                                  \
  FUNCTION(86, 4, SIN(3.14159265f * x))

/* A literal without f is a double in C++, and a float in HLSL. HLSL has no sine of pi x. */
#define CUDA_ARITHMETIC(FUNCTION)                                                                                      \
  FUNCTION(50, 4, static_cast<float>(x * 1.1))                                                                         \
  FUNCTION(87, 4, sinpif(x))

/* The same words, by flags of the compiler: a source for each. */
#define FLUSH_ARITHMETIC(FUNCTION)                                                                                     \
  FUNCTION(101, 4, b / x)                                                                                              \
  FUNCTION(102, 4, SQRT(x))                                                                                            \
  FUNCTION(103, 4, EXP(x))
#define DIVISION_ARITHMETIC(FUNCTION) FUNCTION(104, 4, b / x)
#define ROOT_ARITHMETIC(FUNCTION) FUNCTION(105, 4, SQRT(x))
#define FAST_ARITHMETIC(FUNCTION)                                                                                      \
  FUNCTION(106, 4, b / x)                                                                                              \
  FUNCTION(107, 4, SQRT(x))                                                                                            \
  FUNCTION(108, 4, SIN(x))                                                                                             \
  FUNCTION(109, 4, EXP(x))                                                                                             \
  FUNCTION(110, 4, POW(x, b))
/* clang-format on */

/* The text of a loop. What is read is always `a`, but no compiler knows it: fewer than 65536 rounds are run. */
#define APPLY_LOOP(number, times, step, counter)                                                                       \
  case number: {                                                                                                       \
    first = step;                                                                                                      \
    const counter begin = counter(3 * i + 1), stride = counter(args.rounds >> 16);                                     \
    for (counter r = 0; r < counter(args.rounds); r++)                                                                 \
      x = (x ^ b) + g_idata[begin + stride * r];                                                                       \
    break;                                                                                                             \
  }

#endif
