/* Arguments of the blur kernels, for C, CUDA and HLSL. */
#ifndef XB_BLUR_ARGS_H
#define XB_BLUR_ARGS_H

#include "xb/abi.h"

/* A pixel's mean is that of the BLUR_TAPS pixels from BLUR_BEFORE before it on; at the ends, the outermost pixel
 * counts again. */
#define BLUR_TAPS 16
#define BLUR_BEFORE 8
#define BLUR_BITS 4 /* of the number of taps */
/* Pixels of a thread of rung 5, and of how many words one goes unused, so that threads read different banks. */
#define BLUR_PIXELS 4
#define BLUR_BANKS 32

struct xb_blur_args {
  xb_u32 n;      /* pixels of this window */
  xb_u32 lead;   /* pixels that the input's binding has before the window */
  xb_u32 all;    /* of the input's binding */
  xb_u32 grid_x; /* groups in x; the rest is in y */
};

/* Four bytes of a word, and back: sums of 16 bytes, so that a mean is a shift. */
#define UNPACK(type, word) type(0xFFu & (word), 0xFFu & (word) >> 8, 0xFFu & (word) >> 16, (word) >> 24)
#define PACK_MEAN(sum)                                                                                                 \
  ((sum).x >> BLUR_BITS | (sum).y >> BLUR_BITS << 8 | (sum).z >> BLUR_BITS << 16 | (sum).w >> BLUR_BITS << 24)
/* The pixel at `i`, which may be before the first one: then i has wrapped to a large number. `last`: the last one. */
#define BLUR_CLAMP(i, last) ((i) > 0x80000000u ? 0u : min(i, last))

#if defined(__CUDACC__)
#define UNROLL _Pragma("unroll")
#define LOOP _Pragma("unroll 1")
#define UINT4 make_uint4
#define FLOAT4 make_float4
#elif defined(XB_GLSLC) || defined(__HLSL_VERSION)
#define UNROLL [unroll]
#define LOOP [loop]
#define UINT4 uint4
#define FLOAT4 float4
#endif

#endif
