/* Arguments of the wrong ports and of their corrected forms, for C, CUDA and HLSL. */
#ifndef WRONG_PORTS_ARGS_H
#define WRONG_PORTS_ARGS_H

#include "xb/abi.h"

struct step_args {
  xb_u32 count, mul, add;
};

struct groups_args {
  xb_u32 groups;
};

struct flag_args {
  xb_u32 limit;
};

struct add_args {
  xb_u32 count, add;
};

/* 64 bits in two words: arguments are 32-bit scalars. */
struct window_args {
  xb_u32 first_low, first_high, n_low, n_high;
};

#endif
