/* Arguments of the copy kernels, for C, CUDA and HLSL. */
#ifndef XB_COPY_ARGS_H
#define XB_COPY_ARGS_H

#include "xb/abi.h"

struct xb_copy_args {
  xb_u32 n;      /* elements of this window */
  xb_u32 grid_x; /* groups in x; the rest is folded into y */
  xb_u32 repeats;
  xb_u32 repeat_stride; /* elements between repetitions: 0, which no compiler knows, so it can drop none */
};

#endif
