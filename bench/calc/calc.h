/* Models that need no GPU: bandwidth of a memory, ways of bank conflicts, segments of a warp, tiles of a product. The
 * GPUs that the documents name are known by name. Each formula is one of a document: command_calc.c names it. */
#ifndef XB_CALC_H
#define XB_CALC_H

#include <stdbool.h>
#include <stdint.h>

typedef struct xb_calc_gpu {
  const char *name, *title, *source; /* "g80"; source: of the clock, the width and the peak */
  uint32_t capability;               /* 10: compute capability 1.0 */
  double clock_mhz, bits, rate;      /* of the memory: its clock, its width, transfers a clock */
  double peak_gflops;                /* float32, a multiply-add is two */
  bool hbm;
} xb_calc_gpu;

extern const xb_calc_gpu xb_calc_gpus[]; /* from the oldest one; the last one has no name */

/* 10^9 bytes a second. */
double xb_calc_bandwidth(double clock_mhz, double bits, double rate);

/* How a GPU's memories answer the threads that are served together: half a warp before 2.0, a warp since. */
typedef struct xb_calc_rules {
  uint32_t threads, banks;
  uint32_t segment; /* bytes of global memory that are moved together; 1.2 and 1.3 begin with 128 and halve them */
  bool in_order;    /* 1.0 and 1.1: thread k must ask for word k of an aligned block, or each thread is served alone */
} xb_calc_rules;

xb_calc_rules xb_calc_rules_of(uint32_t capability);

/* The most words that the threads ask of one bank, `stride` words apart; a word that several ask for counts once. */
uint32_t xb_calc_ways(const xb_calc_rules *r, uint64_t stride);

/* Transactions of the threads that are served together, and the bytes that they move. Thread k asks for `bytes` at
 * (offset + k * stride) * bytes. */
typedef struct xb_calc_segments {
  uint32_t count;
  uint64_t moved, asked;
} xb_calc_segments;

xb_calc_segments xb_calc_segments_of(const xb_calc_rules *r, uint64_t offset, uint64_t stride, uint32_t bytes);

/* The tiled product of two square matrices. */
typedef struct xb_calc_tile {
  uint64_t threads, blocks, shared_bytes;   /* of a block; of the product; of a block's two tiles */
  uint64_t loads, operations;               /* of a block, for each pair of tiles */
  uint32_t by_threads, by_shared, resident; /* blocks on a multiprocessor; resident 0: a block has too many threads */
  double cgma;                              /* floating-point operations for each access to global memory */
  double bound_gflops, needed_gbps,
      balance; /* by the bandwidth; for the peak without tiles; CGMA that the peak needs */
} xb_calc_tile;

xb_calc_tile xb_calc_tile_of(const xb_calc_gpu *gpu, uint64_t tile, uint64_t width);

#endif
