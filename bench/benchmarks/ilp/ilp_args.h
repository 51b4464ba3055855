/* Arguments of the ilp kernels, for C, CUDA and HLSL. */
#ifndef XB_ILP_ARGS_H
#define XB_ILP_ARGS_H

#include "xb/abi.h"

/* Threads of a group, and the most chains of a thread. */
#define ILP_GROUP 1024
#define ILP_CHAINS 32

struct xb_ilp_args {
  xb_u32 threads; /* of each group that work; the others end at once */
  xb_u32 rounds;  /* of unrolled steps */
  xb_u32 chains;  /* Direct3D 12 only: it has no specialization constants, CUDA an entry point for each */
  xb_u32 groups;
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

/* CASE(chains of a thread, steps that are unrolled): each has an array of its own, which can stay in registers. */
#define ILP_CASES(CASE) CASE(1, 64) CASE(2, 32) CASE(4, 16) CASE(8, 8) CASE(16, 4) CASE(32, 2)

#if defined(__CUDACC__)
#define UNROLL _Pragma("unroll")
#elif defined(XB_GLSLC) || defined(__HLSL_VERSION)
#define UNROLL [unroll]
#if defined(XB_GLSLC) || defined(__spirv__)
#define CHAINS_CONSTANT [[vk::constant_id(0)]] const uint CHAINS = 1;
#else
#define CHAINS_CONSTANT
#define CHAINS args.chains
#endif
#endif

/* clang-format off */
/* The text of a kernel: chains begin apart, each step of a chain needs the step before, and each end is written. */
#define ILP_INDEPENDENT(count, steps)                                                                                  \
  case count: {                                                                                                        \
    uint h[count];                                                                                                     \
    UNROLL for (uint s = 0; s < count; s++) h[s] = x + s * b;                                                          \
    for (uint r = 0; r < args.rounds; r++) {                                                                           \
      UNROLL for (uint k = 0; k < steps; k++) {                                                                        \
        UNROLL for (uint c = 0; c < count; c++) h[c] = h[c] * a + b;                                                   \
      }                                                                                                                \
    }                                                                                                                  \
    UNROLL for (uint e = 0; e < count; e++) g_odata[at + e * args.threads] = h[e];                                        \
    break;                                                                                                             \
  }

/* One chain, whose words lie in an array: the word before tells which one is next. */
#define ILP_INDEXED(count, steps)                                                                                      \
  case count: {                                                                                                        \
    uint h[count];                                                                                                     \
    UNROLL for (uint s = 0; s < count; s++) h[s] = x + s * b;                                                          \
    uint next = x % count;                                                                                             \
    for (uint r = 0; r < args.rounds; r++) {                                                                           \
      UNROLL for (uint k = 0; k < steps; k++) {                                                                        \
        const uint word = h[next] * a + b;                                                                             \
        h[next] = word;                                                                                                \
        next = (word >> 16) % count;                                                                                   \
      }                                                                                                                \
    }                                                                                                                  \
    UNROLL for (uint e = 0; e < count; e++) g_odata[at + e * args.threads] = h[e];                                        \
    break;                                                                                                             \
  }
/* clang-format on */

#endif
