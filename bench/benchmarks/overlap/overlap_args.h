/* Arguments of the kernel that works between an upload and a download, for C, CUDA and HLSL. */
#ifndef XB_OVERLAP_ARGS_H
#define XB_OVERLAP_ARGS_H

#include "xb/abi.h"

struct xb_overlap_args {
  xb_u32 n;       /* elements of this dispatch */
  xb_u32 threads; /* of this dispatch: a thread takes each of these */
  xb_u32 turns;   /* multiplications of an element */
  /* As arguments: a compiler would multiply constants with each other, and do several turns as one. */
  xb_u32 multiplier, increment;
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
