/* Arguments of the cachecontrol kernels, for C, CUDA and HLSL. */
#ifndef XB_CACHECONTROL_ARGS_H
#define XB_CACHECONTROL_ARGS_H

#include "xb/abi.h"

/* Loads of a thread, and the words between two of them. */
#define CACHECONTROL_LOADS 64
#define CACHECONTROL_STEP 1056
#define CACHECONTROL_FACTOR 1664525u

struct xb_cachecontrol_args {
  xb_u32 first; /* group of this dispatch */
  xb_u32 groups;
  xb_u32 mask;   /* the words that are read, a power of two, less one */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#if defined(__CUDACC__)
#define UNROLL _Pragma("unroll")
#elif defined(XB_GLSLC) || defined(__HLSL_VERSION)
#define UNROLL [unroll]
#endif

#endif
