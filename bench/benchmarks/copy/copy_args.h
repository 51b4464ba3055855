/* Arguments of the copy kernels, for C, CUDA and HLSL. */
#ifndef XB_COPY_ARGS_H
#define XB_COPY_ARGS_H

#include "xb/abi.h"

struct xb_copy_args {
  xb_u32 n;      /* elements of this window */
  xb_u32 grid_x; /* groups in x; the rest is in y */
  xb_u32 repeats;
  xb_u32 repeat_stride; /* elements between repetitions: 0, but no compiler can know this, so it cannot remove a
                           repetition */
};

#endif
