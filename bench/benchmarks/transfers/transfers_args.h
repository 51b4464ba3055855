/* Arguments of the kernels that copy between memory of the host and of the device, for C, CUDA and HLSL. */
#ifndef XB_TRANSFERS_ARGS_H
#define XB_TRANSFERS_ARGS_H

#include "xb/abi.h"

struct xb_transfers_args {
  xb_u32 n;      /* elements of this window */
  xb_u32 grid_x; /* groups in x; the rest is in y */
  xb_u32 piece;  /* elements that lie together in the output, */
  xb_u32 step;   /* and from the begin of one piece to the next one's */
};

#endif
