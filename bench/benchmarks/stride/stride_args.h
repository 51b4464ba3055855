/* Arguments of the stride kernels, for C, CUDA and HLSL. */
#ifndef XB_STRIDE_ARGS_H
#define XB_STRIDE_ARGS_H

#include "xb/abi.h"

struct xb_stride_args {
  xb_u32 n; /* copied elements of this window */
  xb_u32 stride;
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
