/* Arguments of the neighbours kernels, for C, CUDA and HLSL. */
#ifndef XB_NEIGHBOURS_ARGS_H
#define XB_NEIGHBOURS_ARGS_H

#include "xb/abi.h"

#define NEAREST 10
/* More than the square of any distance. */
#define NEIGHBOURS_FAR 1e30f
/* Coordinates are whole numbers below 1024: the square of a distance is exact, with and without fused multiply-adds. */
#define NEIGHBOURS_DISTANCE(p, q) (((q).x - (p).x) * ((q).x - (p).x) + ((q).y - (p).y) * ((q).y - (p).y))

struct xb_neighbours_args {
  xb_u32 n;      /* points of this window */
  xb_u32 among;  /* points that their neighbours are chosen from */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#if defined(__CUDACC__)
#define UNROLL _Pragma("unroll")
#elif defined(XB_GLSLC) || defined(__HLSL_VERSION)
#define UNROLL [unroll]
#endif

#endif
