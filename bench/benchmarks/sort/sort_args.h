/* Arguments of the sort kernels, for C, CUDA and HLSL. */
#ifndef XB_SORT_ARGS_H
#define XB_SORT_ARGS_H

#include "xb/abi.h"

#define SORT_DIGIT_BITS 8
#define SORT_DIGITS 256
#define SORT_PASSES 4
/* Keys of a thread in a tile. More make longer runs, and need more registers: of 64K, three groups of 256 threads have
 * 80 each, and two of 320 have 96. A tile and its counts fit into 32 KiB of shared memory. Then those of a thread in a
 * group of `totals`. */
#define SORT_KEYS(block) ((block) == 320 ? 18 : 30)
#define SORT_TILE(block) ((block)*SORT_KEYS(block))
#define SORT_TOTALS_KEYS 90
/* Those of rung 3, which reads keys again instead of keeping them. Groups of 320 need 42 KiB of shared memory; a device
 * with less has groups of 256, which need less than 32 KiB. */
#define SORT_SWEEP_KEYS(block) ((block) == 320 ? 24 : 22)
#define SORT_SWEEP_BYTES (42 * 1024)
/* The digits of a tile are counted by this many threads together, a bit of a word each: a wave on NVIDIA, several waves
 * where they are smaller. */
#define SORT_TEAM 32
/* The bits of a key, so that unsigned order is the order of int32 or float32. */
#define SORT_ORDER_INT32(bits) ((bits) ^ 0x80000000u)
#define SORT_ORDER_FLOAT32(bits) ((bits) ^ (0x80000000u | (0u - ((bits) >> 31))))
/* The last of all keys in either order: fills up the last tile. */
#define SORT_LAST_KEY 0x7fffffffu
/* The states of rung 3. Its first words count the tiles taken, one word for each pass. Then follow for each pass rows
 * of digits: one before the first tile, and one for each tile. A word has a count, and above it a flag: what is
 * counted. */
#define SORT_COUNTERS 64
#define SORT_STATE_SHIFT 30
#define SORT_STATE_TILE 1 /* this tile alone */
#define SORT_STATE_ALL 2  /* this tile and all before it, and all smaller digits */
/* Tiles that are looked at at once, and reads before the group counts a missing tile itself. */
#define SORT_LOOKS 4
#define SORT_STATE_READS 256

struct xb_sort_args {
  xb_u32 n;
  xb_u32 tiles;
  xb_u32 pass;   /* sorts by the bits from 8 * pass on */
  xb_u32 values; /* 1: each key has a value, which moves with it */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

#endif
