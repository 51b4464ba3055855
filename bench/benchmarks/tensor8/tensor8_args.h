/* Tensor cores with elements of 8 bits, for C, CUDA and HLSL: int8 with int32 sums, or float8 with float32 sums. Their
 * arguments are xb_tensor_args, of tensor_args.h, which comes behind this file. A and C are row-major, B is
 * column-major: A and B both lie along the inner length. */
#ifndef XB_TENSOR8_ARGS_H
#define XB_TENSOR8_ARGS_H

/* The inner length of a fragment, and of what is in shared memory at a time, with a pad: of rungs 1 and 2; of rung 3.
 */
#define TENSOR_BYTES 1
#define TENSOR_INNER 32
#define TENSOR_DEPTH 64
#define TENSOR_PAD 16
#define TENSOR_GROUP_DEPTH 128

#if defined(TENSOR8_E5M2)
#define FLOAT8 "e5m2"
#else
#define FLOAT8 "e4m3"
#endif

#if defined(__SLANG__)
#if defined(XB_INT32)
typedef int8_t Element;
typedef int Sum;
#elif defined(TENSOR8_E5M2)
typedef FloatE5M2 Element;
typedef float Sum;
#else
typedef FloatE4M3 Element;
typedef float Sum;
#endif
#endif

#endif
