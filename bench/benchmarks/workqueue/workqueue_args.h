/* Arguments of the work queue kernels, for C, CUDA and HLSL. */
#ifndef XB_WORKQUEUE_ARGS_H
#define XB_WORKQUEUE_ARGS_H

#include "xb/abi.h"

/* The work for an item: as many rounds as its low bits say, each of which needs the one before. */
#define QUEUE_ROUNDS 0xFFu
#define QUEUE_ROUND(x) ((x) * (x) + 0x9E3779B1u)

struct xb_workqueue_args {
  xb_u32 n;      /* items of this window */
  xb_u32 window; /* index of this window: it has a counter of its own */
  xb_u32 first;  /* groups in the windows before this one */
  xb_u32 turns;  /* a thread takes no more items than this, which is more than its share */
  xb_u32 scale;  /* rounds of an item are multiplied by this */
  xb_u32 groups; /* of this window */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
