/* Arguments of the adjacent-difference kernels, for C, CUDA and HLSL. */
#ifndef XB_ADJACENT_ARGS_H
#define XB_ADJACENT_ARGS_H

#include "xb/abi.h"

struct xb_adjacent_args {
  xb_u32 n;      /* elements of this window */
  xb_u32 lead;   /* elements that the input's binding has before the window; a multiple of 4, 0 in the first window */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
