/* Arguments of the coalescing kernels, for C, CUDA and HLSL. */
#ifndef XB_COALESCING_ARGS_H
#define XB_COALESCING_ARGS_H

#include "xb/abi.h"

struct xb_coalescing_args {
  xb_u32 n;        /* active threads of this window; each moves one unit of 4, 8 or 16 bytes */
  xb_u32 whole;    /* those in whole blocks; only these are permuted */
  xb_u32 mask;     /* threads in a block, minus 1 */
  xb_u32 fold;     /* half the bits of the mask */
  xb_u32 factor_1; /* two odd numbers: multiplying by them permutes the numbers of a block */
  xb_u32 factor_2;
  xb_u32 skip;   /* one of 2^skip threads is active */
  xb_u32 shift;  /* units that all reads are moved by */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
