/* Arguments of the resident kernels, for C, CUDA and HLSL. */
#ifndef XB_RESIDENT_ARGS_H
#define XB_RESIDENT_ARGS_H

#include "xb/abi.h"

/* The words that groups count in: how many are inside now, the most that were, and how many began. */
#define RESIDENT_INSIDE 0
#define RESIDENT_MOST 1
#define RESIDENT_BEGUN 2
/* Chains of the kernel that takes many registers. */
#define RESIDENT_CHAINS 32

struct xb_resident_args {
  xb_u32 groups;
  xb_u32 rounds; /* of 32 steps, or of one step of each chain: what a group does while others begin */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#if defined(__CUDACC__)
#define UNROLL _Pragma("unroll")
#elif defined(XB_GLSLC) || defined(__HLSL_VERSION)
#define UNROLL [unroll]
#endif

#endif
