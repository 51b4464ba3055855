/* Arguments of the reduction kernels, for C, CUDA and HLSL. */
#ifndef XB_REDUCE_ARGS_H
#define XB_REDUCE_ARGS_H

#include "xb/abi.h"

/* Rung 9's buffer of counters and sums: byte offset of the first sum. Word 0 before it counts the groups that are done,
 * the others the tiles that were taken of a window. */
#define PARTIALS_OFFSET 256
#define QUEUES (PARTIALS_OFFSET / 4 - 1)
/* Its groups of so many threads take their last tiles from a queue. */
#define QUEUED_BLOCK 1024

struct xb_reduce_args {
  xb_u32 n;           /* elements of this window */
  xb_u32 groups;      /* groups of this dispatch: the deck's dispatchDim_x */
  xb_u32 grid_x;      /* groups in x; the rest is folded into y */
  xb_u32 first_group; /* groups of the windows before this one (rung 9) */
  xb_u32 all_groups;  /* groups of all windows (rung 9) */
  xb_u32 dealt4;      /* vectors that are dealt to the groups in turn (rung 9, groups of 1024) */
  xb_u32 queue;       /* the counter of the tiles that groups take beyond that (rung 9) */
};

#endif
