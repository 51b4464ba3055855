/* Arguments of the banks kernel, for C, CUDA and HLSL. */
#ifndef XB_BANKS_ARGS_H
#define XB_BANKS_ARGS_H

#include "xb/abi.h"

/* Threads of a wave on NVIDIA GPUs, and banks of their shared memory, each 4 bytes wide. The access patterns are made
 * for 32 threads. */
#define BANKS_LANES 32
/* A tile of 32 rows, each of at most 33 words. Shared memory has four of them. The same word of all tiles is in the
 * same bank, because a tile's size is a multiple of 32. */
#define BANKS_TILE (BANKS_LANES * 33)
#define BANKS_WORDS (4 * BANKS_TILE)
/* Accesses in an unrolled round. */
#define BANKS_ROUND 8
/* The column that the swizzled pattern reads. */
#define BANKS_COLUMN 5

struct xb_banks_args {
  xb_u32 n;       /* threads that write their sum */
  xb_u32 rounds;  /* of BANKS_ROUND accesses, for each thread */
  xb_u32 next;    /* from a word to the one that it names: an odd number of tiles */
  xb_u32 stride;  /* words from one row of the tile to the next */
  xb_u32 times;   /* the thread's row is its lane times this, modulo 32: odd, so it is a permutation */
  xb_u32 share;   /* so many neighbouring rows are one: their threads read the same word */
  xb_u32 swizzle; /* 31: the column is XORed with the lane; 0: all threads read column 0 */
  xb_u32 grid_x;  /* groups in x; the rest is in y */
};

#endif
