/* Arguments of the constants kernels, for C, CUDA and HLSL. */
#ifndef XB_CONSTANTS_ARGS_H
#define XB_CONSTANTS_ARGS_H

#include "xb/abi.h"

/* Words of the table, and of the one in the arguments: what the 128 bytes of push constants leave. */
#define CONSTANTS_TABLE 2048
#define CONSTANTS_FEW 16

/* In HLSL, each element of an array of words takes 16 bytes of a constant buffer. An array of vectors has no gaps. */
#if defined(XB_GLSLC) || defined(__HLSL_VERSION)
#define CONSTANTS_WORDS(name, count) uint4 name[(count) / 4]
#else
#define CONSTANTS_WORDS(name, count) xb_u32 name[count]
#endif

struct xb_constants_args {
  CONSTANTS_WORDS(table, CONSTANTS_FEW); /* only row 3 reads it */
  xb_u32 n;                              /* threads */
  xb_u32 addresses;                      /* different words that 32 threads read at a time */
  xb_u32 steps;
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
