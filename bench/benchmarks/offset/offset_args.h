/* Arguments of the offset kernels, for C, CUDA and HLSL. */
#ifndef XB_OFFSET_ARGS_H
#define XB_OFFSET_ARGS_H

#include "xb/abi.h"

struct xb_offset_args {
  xb_u32 n; /* elements of this window that are copied */
  xb_u32 offset;
  xb_u32 grid_x; /* groups in x; the rest is folded into y */
};

#endif
