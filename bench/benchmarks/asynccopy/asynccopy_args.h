/* Arguments of the asynccopy kernels, for C, CUDA and HLSL. */
#ifndef XB_ASYNCCOPY_ARGS_H
#define XB_ASYNCCOPY_ARGS_H

#include "xb/abi.h"

/* Tiles that a group copies one after another, and the most bytes of a tile: of the parts 32 or 48 KiB. */
#define ASYNCCOPY_TILES 8
#ifndef ASYNCCOPY_TILE
#define ASYNCCOPY_TILE 8192
#endif
/* The most copies of 16 bytes that a thread of 128 makes for a tile. */
#define ASYNCCOPY_COPIES 4

struct xb_asynccopy_args {
  xb_u32 groups;
  xb_u32 copies; /* that a thread makes for a tile */
  xb_u32 work;   /* multiply-adds with each word */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

/* The work with a word of a tile. The factor is odd, so each bit of each word counts in the result. What is added is no
 * constant: compilers would make one step of several. */
#define ASYNCCOPY_FACTOR 1664525u
#define ASYNCCOPY_FOLD(h, word)                                                                                        \
  h = h * ASYNCCOPY_FACTOR + word;                                                                                     \
  for (uint r = 1; r < args.work; r++)                                                                                 \
    h = h * ASYNCCOPY_FACTOR + args.work;

#if defined(__CUDACC__)
#define UNROLL _Pragma("unroll")
#elif defined(XB_GLSLC) || defined(__HLSL_VERSION)
#define UNROLL [unroll]
#endif

#endif
