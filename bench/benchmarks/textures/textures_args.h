/* Arguments of the texture kernels, for C, CUDA and HLSL. */
#ifndef XB_TEXTURES_ARGS_H
#define XB_TEXTURES_ARGS_H

#include "xb/abi.h"

/* Each thread adds the texels of a box: its own, the right one, and the two below; the four next of a line; and in
 * three dimensions those behind instead of those below. */
#define TEXTURES_BOX 4
/* Places of the grid before the first row, column and layer of the image. */
#define TEXTURES_MARGIN 8

struct xb_textures_args {
  xb_u32 first, count;    /* threads of this window */
  xb_u32 across, down;    /* places of the grid, which is larger than the image on all sides; multiples of 32 */
  xb_u32 width, height;   /* of the image */
  xb_u32 layer;           /* rows of places that belong to a layer of an image with three dimensions */
  xb_u32 order;           /* 0: by rows, 1: by columns, 2: by tiles, 3: Morton */
  xb_u32 format;          /* xb_texel */
  xb_u32 blends;          /* places are between texels */
  float scale_x, scale_y; /* from texels to coordinates */
  float scale_z;
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
