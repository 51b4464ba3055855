/* Arguments and constants of the guide's kernels, for C, CUDA and HLSL. */
#ifndef XB_GUIDE_ARGS_H
#define XB_GUIDE_ARGS_H

#include "xb/abi.h"

#define GUIDE_BLOCK 64 /* threads per group, unless a case needs another number */
#define GUIDE_WAVE_BLOCK 256

struct xb_guide_args {
  xb_u32 n;      /* elements */
  xb_u32 grid_x; /* groups in x; the rest is folded into y */
  xb_u32 a, b;   /* their meaning depends on the case */
};

#endif
