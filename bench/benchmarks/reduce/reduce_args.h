/* Arguments of the reduction kernels, for C, CUDA and HLSL. */
#ifndef XB_REDUCE_ARGS_H
#define XB_REDUCE_ARGS_H

#include "xb/abi.h"

/* Rung 9's buffer of counters and sums: byte offset of the first sum. Word 0 counts the groups that have finished. The
 * other words before the sums count the tiles taken from each window's queue. */
#define PARTIALS_OFFSET 256
#define QUEUES (PARTIALS_OFFSET / 4 - 1)
/* Only groups of this many threads take their last tiles from a queue. */
#define QUEUED_BLOCK 1024

struct xb_reduce_args {
  xb_u32 n;           /* elements of this window */
  xb_u32 groups;      /* groups of this dispatch: the deck's dispatchDim_x */
  xb_u32 grid_x;      /* groups in x; the rest is in y */
  xb_u32 first_group; /* groups in the windows before this one (rung 9) */
  xb_u32 all_groups;  /* groups of all windows (rung 9) */
  xb_u32 dealt4;      /* vectors that groups take in a fixed order (rung 9) */
  xb_u32 queue;       /* index of the counter of the tiles that groups take after that (rung 9) */
};

#endif
