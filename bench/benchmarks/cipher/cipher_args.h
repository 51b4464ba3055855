/* Arguments of the cipher kernels, for C, CUDA and HLSL. */
#ifndef XB_CIPHER_ARGS_H
#define XB_CIPHER_ARGS_H

#include "xb/abi.h"

struct xb_cipher_args {
  xb_u32 n;      /* letters of this window */
  xb_u32 shift;  /* places in the alphabet */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
