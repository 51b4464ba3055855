/* Arguments of the scan kernels, for C, CUDA and HLSL. */
#ifndef XB_SCAN_ARGS_H
#define XB_SCAN_ARGS_H

#include "xb/abi.h"

/* Elements of a thread: 4 vectors in row 3, and in the kernels `sums` and `spine`. */
#define THREAD_ELEMENTS 16
/* Vectors of a thread in rows 4 and 5. */
#define LOOK_BACK_VECTORS 8
/* The state of rows 4 and 5. Its first words count the tiles taken, one word for each window; then follow two words for
 * each tile. Each has 16 bits of a sum, and above them a flag: what the sum is. A reader takes a sum only if both words
 * have the same flag, so the two need no order between them. */
#define STATE_COUNTERS 64
#define STATE_SHIFT 16
#define STATE_TILE_SUM 1 /* of this tile alone */
#define STATE_ALL_SUM 2  /* of this tile and all before it */
/* Row 5: reads of a tile's state before the group adds up that tile itself. */
#define STATE_READS 256

struct xb_scan_args {
  xb_u32 n;          /* elements of this window; spine: sums */
  xb_u32 first_tile; /* tiles in the windows before this one */
  xb_u32 window;     /* index of this window */
  xb_u32 exclusive;  /* 1: exclusive; an output omits its own element */
  xb_u32 tile;       /* add: elements of a tile */
  xb_u32 grid_x;     /* groups in x; the rest is in y */
};

#endif
