/* Arguments of the histogram kernels, for C, CUDA and HLSL. */
#ifndef XB_HISTOGRAM_ARGS_H
#define XB_HISTOGRAM_ARGS_H

#include "xb/abi.h"

#define BYTE_BINS 256    /* rows 1 to 4: elements are bytes, 4 in a word */
#define KEY_BINS 65536   /* rows 5 to 7: elements are 32-bit keys; the upper half of a key is its bin */
#define LANE_COPIES 32   /* row 4: copies of the histogram, each in a bank of its own */
#define RANGE_BINS 16384 /* row 6: bins whose 16-bit counters fill 32 KiB of shared memory */
/* Rows 6 and 7: a counter that has reached this is emptied. So many bits are left for what other threads add in the
 * meantime: in one turn at most 1024 threads times 16 keys. */
#define EMPTY_AT 0x8000

struct xb_histogram_args {
  xb_u32 n;      /* elements of this window */
  xb_u32 groups; /* groups of this dispatch */
  xb_u32 grid_x; /* groups in x; the rest is in y */
  xb_u32 bins;   /* rows 6 and 7: bins of a range */
};

#endif
