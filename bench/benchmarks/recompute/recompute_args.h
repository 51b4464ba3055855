/* Arguments of the recompute kernels, for C, CUDA and HLSL. */
#ifndef XB_RECOMPUTE_ARGS_H
#define XB_RECOMPUTE_ARGS_H

#include "xb/abi.h"

struct xb_recompute_args {
  xb_u32 n;      /* elements of this window */
  xb_u32 first;  /* the index of its first element */
  xb_u32 turns;  /* multiply-adds of a value */
  xb_u32 factor; /* of these; a compiler that knew it could make one of several */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#define RECOMPUTE_FACTOR 1664525u
#define RECOMPUTE_TERM 1013904223u

#endif
