/* Arguments of the tensor core kernels, for C, CUDA and HLSL. Matrices are row-major; A and B are float16, or
 * bfloat16 with TENSOR_BFLOAT16. */
#ifndef XB_TENSOR_ARGS_H
#define XB_TENSOR_ARGS_H

#include "xb/abi.h"

/* Rows and columns of a fragment: of A, of B and of the sums. TENSOR_WAVE threads share it. */
#define TENSOR_SIDE 16
#define TENSOR_WAVE 32
/* The inner length of a fragment. tensor8_args.h comes first where elements have 8 bits, and has its own. */
#if !defined(TENSOR_INNER)
#define TENSOR_INNER TENSOR_SIDE
#endif
/* Rows and columns of the tile of C that a group computes. Two waves lie side by side in it; fragments of a wave. */
#define TENSOR_TILE 128
#define TENSOR_DOWN(block) (TENSOR_TILE / TENSOR_SIDE / ((block) / TENSOR_WAVE / 2))
#define TENSOR_ACROSS (TENSOR_TILE / TENSOR_SIDE / 2)
/* Rung 3: such steps a turn of its loop. */
#define TENSOR_STEPS 2
/* Rungs 2 and 3: columns of A, and rows of B, that are in shared memory at a time; and elements behind each row there,
 * so that rows begin in different banks. */
#if !defined(TENSOR_DEPTH)
#define TENSOR_DEPTH 32
#define TENSOR_PAD 8
#endif

/* Rungs 27 to 30: what the kernel takes and gives, as bits. */
#define TENSOR_BY_COLUMNS 1 /* B lies column by column */
#define TENSOR_EPILOGUE 2   /* C is not the sums, but a function of them */
/* The epilogue divides negative values by it, and rung 29 has so many of them a thread. */
#define TENSOR_SLOPE 4
#define TENSOR_FINISHED 4

struct xb_tensor_args {
  xb_u32 m, n, k;          /* C is m x n, A is m x k, B is k x n; m of this window */
  xb_u32 tiles_x, tiles_y; /* of C */
  xb_u32 grid_x;           /* groups in x; the rest is in y */
  xb_u32 form;             /* rung 27 */
};

#endif
