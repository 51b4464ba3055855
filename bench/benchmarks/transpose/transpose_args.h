/* Arguments of the transpose kernels, for C, CUDA and HLSL. */
#ifndef XB_TRANSPOSE_ARGS_H
#define XB_TRANSPOSE_ARGS_H

#include "xb/abi.h"

/* Rows and columns of the square that a group moves; rungs 1 to 7, and rung 8. */
#define TILE_DIM 32
#define TILE4_DIM 64
/* Rung 8: elements by which a store may begin before its tile, to begin at a multiple of 32 bytes. */
#define TRANSPOSE_BACK 7

struct xb_transpose_args {
  xb_u32 rows, columns;         /* of this part of the matrix */
  xb_u32 in_pitch, out_pitch;   /* elements from a row of the whole matrix to its next one, input and output */
  xb_u32 in_offset, out_offset; /* its first element in its binding */
  xb_u32 tiles_x, tiles_y;      /* the deck's gridDim */
  xb_u32 vectors;               /* rung 8: all rows, of input and output, begin at vectors and are made of whole ones */
  xb_u32 back;                  /* rung 8: 0 where they do, else TRANSPOSE_BACK */
  xb_u32 grid_x;                /* groups in x; the rest is folded into y */
  xb_u32 repeats;               /* of the work inside the kernel, 1 or more */
  xb_u32 repeat_stride;         /* 0; the compiler cannot know, so it cannot drop a repetition */
};

#endif
