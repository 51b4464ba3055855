/* Arguments of the groups kernels, for C, CUDA and HLSL. */
#ifndef XB_GROUPS_ARGS_H
#define XB_GROUPS_ARGS_H

#include "xb/abi.h"

#define GROUPS_FACTOR 1664525u

struct xb_groups_args {
  xb_u32 first; /* group of this dispatch */
  xb_u32 groups;
  xb_u32 steps;  /* of a thread */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
