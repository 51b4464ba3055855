/* Arguments and structs of the layout kernels, for C, CUDA and HLSL. */
#ifndef XB_LAYOUT_ARGS_H
#define XB_LAYOUT_ARGS_H

#include "xb/abi.h"

struct xb_layout_args {
  xb_u32 n;      /* structs of this window */
  xb_u32 pitch;  /* elements from one array to the next, where each member has an array */
  xb_u32 all;    /* 0: one member of each struct is read, the last; 1: all members */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#if defined(XB_GLSLC) || defined(__HLSL_VERSION) || defined(__CUDACC__) /* the host makes and checks words only */
/* Three doubles, which are only moved: two words each, and no float64 is needed. 24 bytes in CUDA and in HLSL. */
struct xb_point24 {
  uint2 x, y, z;
};

/* 12 bytes in CUDA and in HLSL. */
struct xb_point12 {
  xb_u32 x, y, z;
};
#endif

#endif
