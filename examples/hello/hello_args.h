/* The kernel's arguments, for C, CUDA and HLSL. */
#ifndef HELLO_ARGS_H
#define HELLO_ARGS_H

#include "xb/abi.h"

struct hello_args {
  xb_u32 letters;
  xb_u32 shift;
};

#endif
