/* Arguments of the latency kernels, for C, CUDA and HLSL. */
#ifndef XB_LATENCY_ARGS_H
#define XB_LATENCY_ARGS_H

#include "xb/abi.h"

/* The longest list in shared memory: 32 KiB, which Direct3D 12 allows, too. */
#define LATENCY_SHARED 8192

struct xb_latency_args {
  xb_u32 first, end; /* the elements of the list that all threads together read before the walk */
  xb_u32 threads;    /* their number: each writes a word */
  xb_u32 stride;     /* words from one element of the list to the next */
  xb_u32 mask;       /* the bits of a word that are the index of the next element */
  xb_u32 steps;      /* of the walk */
  xb_u32 grid_x;     /* groups in x; the rest is in y */
};

#endif
