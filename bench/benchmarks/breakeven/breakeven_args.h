/* Arguments of the kernels that add and multiply matrices, for C, CUDA and HLSL. Matrices are row-major. */
#ifndef XB_BREAKEVEN_ARGS_H
#define XB_BREAKEVEN_ARGS_H

#include "xb/abi.h"

#define BREAKEVEN_SIDE 16 /* of the square group that multiplies, and of its tiles */

struct xb_breakeven_args {
  xb_u32 m, n, k; /* C is m x n, A is m x k, B is k x n */
  xb_u32 tiles_x; /* tiles of C in a row */
  xb_u32 grid_x;  /* groups in x; the rest is in y */
};

#endif
