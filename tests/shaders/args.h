/* Arguments of the test kernels, for C, CUDA and HLSL. */
#ifndef TEST_ARGS_H
#define TEST_ARGS_H

#include "xb/abi.h"

struct index_args {
  xb_u32 first, count, grid_x, mul, add;
};

struct where_args {
  xb_u32 groups_x, groups_y;
};

struct mixed_args {
  xb_u32 a;
  int b;
  float c;
  xb_u32 d;
  float e;
  int f;
  xb_u32 g;
  float h;
  int i;
};

struct step_args {
  xb_u32 count, mul, add;
};

struct texels_args {
  xb_u32 count, texels;
};

struct count_args {
  xb_u32 slot;
};

struct last_args {
  xb_u32 groups;
};

struct long_args {
  xb_u32 iterations;
};

#endif
