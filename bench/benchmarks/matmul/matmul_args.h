/* Arguments of the matrix multiplication kernels, for C, CUDA and HLSL. Matrices are row-major. */
#ifndef XB_MATMUL_ARGS_H
#define XB_MATMUL_ARGS_H

#include "xb/abi.h"

/* Threads along a side of a group, which is square. */
#define MATMUL_SIDE(block) ((block) == 64 ? 8 : (block) == 256 ? 16 : 32)
/* Rung 5: rows and columns of the tile of C that a dispatch computes. */
#define MATMUL_HOST_TILE 64
/* Rungs 6 to 11: columns of A, and rows of B, that are in shared memory at a time. */
#define MATMUL_DEPTH 8
/* Rungs 8 to 11: rows and columns of a group's tile, and sums along each side of a thread's block. */
#define MATMUL_TILE(block) ((block) == 64 ? 32 : 128)
#define MATMUL_SUMS(block) ((block) == 64 ? 4 : 8)

/* Rungs 9 to 11: tiles of depth that a turn of the loop sums; an even number. */
#define MATMUL_STEPS 4

struct xb_matmul_args {
  xb_u32 m, n, k;          /* C is m x n, A is m x k, B is k x n; m of this window */
  xb_u32 tiles_x, tiles_y; /* of C */
  xb_u32 first_tile;       /* of this dispatch */
  xb_u32 grid_x;           /* groups in x; the rest is in y */
  xb_u32 part;             /* of k, that a group sums; rungs 11 and 12 */
};

#endif
