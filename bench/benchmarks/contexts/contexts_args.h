/* Arguments of the contexts kernels, for C, CUDA and HLSL. */
#ifndef XB_CONTEXTS_ARGS_H
#define XB_CONTEXTS_ARGS_H

#include "xb/abi.h"

#define CONTEXTS_FACTOR 1664525u

struct xb_contexts_args {
  xb_u32 n;      /* threads */
  xb_u32 steps;  /* multiply-adds of a thread */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
