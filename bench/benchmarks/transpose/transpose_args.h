/* Arguments of the transpose kernels, for C, CUDA and HLSL. */
#ifndef XB_TRANSPOSE_ARGS_H
#define XB_TRANSPOSE_ARGS_H

#include "xb/abi.h"

/* Rows and columns of the square that a group moves; rungs 1 to 7, and rung 8. */
#define TILE_DIM 32
#define TILE4_DIM 64
/* Rung 8: a store may begin up to this many elements before its tile, to begin at a multiple of 32 bytes. */
#define TRANSPOSE_BACK 7

struct xb_transpose_args {
  xb_u32 rows, columns;         /* of this part of the matrix */
  xb_u32 in_pitch, out_pitch;   /* elements from one row of the whole matrix to the next, input and output */
  xb_u32 in_offset, out_offset; /* first element of this part in its binding */
  xb_u32 tiles_x, tiles_y;      /* the deck's gridDim */
  xb_u32 vectors;       /* rung 8: all rows, of input and output, begin at a vector and have whole vectors only */
  xb_u32 back;          /* rung 8: 0 if so, else TRANSPOSE_BACK */
  xb_u32 grid_x;        /* groups in x; the rest is in y */
  xb_u32 repeats;       /* of the work inside the kernel, 1 or more */
  xb_u32 repeat_stride; /* 0, but the compiler cannot know this, so it cannot remove a repetition */
};

#endif
