/* Arguments of the kernels that do not end well, for C, CUDA and HLSL. */
#ifndef LOST_ARGS_H
#define LOST_ARGS_H

#include "xb/abi.h"

struct lost_args {
  xb_u32 count;  /* words */
  xb_u32 turns;  /* of a loop that waits for what never comes */
  xb_u32 faults; /* 1: writes where there is no memory */
};

#endif
