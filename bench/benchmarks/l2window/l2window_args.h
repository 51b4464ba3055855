/* Arguments of the l2window kernels, for C, CUDA and HLSL. */
#ifndef XB_L2WINDOW_ARGS_H
#define XB_L2WINDOW_ARGS_H

#include "xb/abi.h"

#define L2WINDOW_FACTOR 1664525u

struct xb_l2window_args {
  xb_u32 n;      /* words of the stream */
  xb_u32 hot;    /* words that are read again and again */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
