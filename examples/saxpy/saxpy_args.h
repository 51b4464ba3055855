/* The kernel's arguments, for C, CUDA and HLSL: 32-bit scalars, as xb/abi.h requires. */
#ifndef SAXPY_ARGS_H
#define SAXPY_ARGS_H

#include "xb/abi.h"

struct saxpy_args {
  float a;
  xb_u32 n;
};

#endif
