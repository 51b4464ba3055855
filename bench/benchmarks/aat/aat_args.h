/* Arguments of the kernels of aat, for C, CUDA and HLSL. Matrices are row-major. */
#ifndef XB_AAT_ARGS_H
#define XB_AAT_ARGS_H

#include "xb/abi.h"

/* The inner length, and the columns of a group's tile of C: w in the guide. */
#define TILE_DIM 32

struct xb_aat_args {
  xb_u32 m, n;    /* C is m x n; m of this window */
  xb_u32 tiles_x; /* of C */
  xb_u32 grid_x;  /* groups in x; the rest is in y */
};

#endif
