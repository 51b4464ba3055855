/* Tensor cores with elements of 8 bits, for C, CUDA and HLSL: int8 with int32 sums, or float8 with float32 sums. Their
 * arguments are xb_tensor_args. A and C are row-major, B is column-major: A and B both lie along the inner length. */
#ifndef XB_TENSOR8_ARGS_H
#define XB_TENSOR8_ARGS_H

/* The inner length of a fragment, and of what is in shared memory at a time: of rungs 1 and 2, and of rung 3. */
#define TENSOR8_INNER 32
#define TENSOR8_DEPTH 64
#define TENSOR8_GROUP_DEPTH 128
/* Rungs 1 and 2: elements behind each row in shared memory, so that rows begin in different banks. */
#define TENSOR8_PAD 16

#if defined(__SLANG__)
#if defined(XB_INT32)
typedef int8_t Byte;
typedef int Sum;
#elif defined(TENSOR8_E5M2)
typedef FloatE5M2 Byte;
typedef float Sum;
#else
typedef FloatE4M3 Byte;
typedef float Sum;
#endif
typedef CoopMat<Byte, MemoryScope.Subgroup, TENSOR_SIDE, TENSOR8_INNER, CoopMatMatrixUse.MatrixA> BytesA;
typedef CoopMat<Byte, MemoryScope.Subgroup, TENSOR8_INNER, TENSOR_SIDE, CoopMatMatrixUse.MatrixB> BytesB;
typedef CoopMat<Sum, MemoryScope.Subgroup, TENSOR_SIDE, TENSOR_SIDE, CoopMatMatrixUse.MatrixAccumulator> Sums;
#define COLUMNS CoopMatMatrixLayout.ColumnMajor
#define NO_SUMS Sums((Sum)0)
#endif

#endif
