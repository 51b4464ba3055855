/* Arguments of the kernel that is timed, for C, CUDA and HLSL. */
#ifndef XB_TIMERS_ARGS_H
#define XB_TIMERS_ARGS_H

#include "xb/abi.h"

struct xb_timers_args {
  xb_u32 n;
  xb_u32 turns; /* multiplications of an element */
  /* As arguments: a compiler would multiply constants with each other, and do several turns as one. */
  xb_u32 multiplier, increment;
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
