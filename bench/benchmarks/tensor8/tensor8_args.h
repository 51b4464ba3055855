/* Tensor cores with elements of 8 bits, for C, CUDA and HLSL: int8 with int32 sums, or float8 with float32 sums. Their
 * arguments are xb_tensor_args, of tensor_args.h, which comes behind this file. A and C are row-major, B is
 * column-major: A and B both lie along the inner length. */
#ifndef XB_TENSOR8_ARGS_H
#define XB_TENSOR8_ARGS_H

/* The inner length of a fragment, and what is in shared memory at a time, with a pad: in rungs 1 and 2; in rung 3. */
#define TENSOR_BYTES 1
#define TENSOR_INNER 32
#define TENSOR_DEPTH 64
#define TENSOR_PAD 16
#define TENSOR_GROUP_DEPTH 128

#endif
