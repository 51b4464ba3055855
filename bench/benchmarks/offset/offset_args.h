/* Arguments of the offset kernels, for C, CUDA and HLSL. */
#ifndef XB_OFFSET_ARGS_H
#define XB_OFFSET_ARGS_H

#include "xb/abi.h"

struct xb_offset_args {
  xb_u32 n; /* copied elements of this window */
  xb_u32 offset;
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
