/* Arguments of the kernel that adds a part of another member's vector, for C, CUDA and HLSL. */
#ifndef XB_ALLREDUCE_ARGS_H
#define XB_ALLREDUCE_ARGS_H

#include "xb/abi.h"

struct xb_allreduce_args {
  xb_u32 n4;     /* vectors of 4 elements in this part */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
