/* Arguments of the atomics kernel, for C, CUDA and HLSL. */
#ifndef XB_ATOMICS_ARGS_H
#define XB_ATOMICS_ARGS_H

#include "xb/abi.h"

/* Updates of a thread. Its operands are START * thread + STEP * update: they differ between threads, so that no
 * compiler can add up those of a wave. Both are odd. */
#define ATOMICS_UPDATES 64u
#define ATOMICS_START 0x9E3779B1u
#define ATOMICS_STEP 0x85EBCA6Bu
/* inc and dec count from 0 to this. */
#define ATOMICS_LIMIT 1000u
/* One operand of float additions: 1 or -1. All sums are exact. */
#define ATOMICS_FLOAT(x) ((x) >> 31 != 0 ? -1.0f : 1.0f)

struct xb_atomics_args {
  xb_u32 n;           /* updates */
  xb_u32 threads;     /* that make them */
  xb_u32 returned;    /* 1: the old values are used */
  xb_u32 sharing;     /* neighbouring threads that update one word */
  xb_u32 group_words; /* words of a group in shared memory; 0: the words are in device memory */
  xb_u32 first;       /* the words' value before; device memory has it already */
  xb_u32 words;       /* of all threads; a sum for each thread follows */
  xb_u32 grid_x;      /* groups in x; the rest is in y */
};

#endif
