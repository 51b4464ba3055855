/* Arguments of the tally's kernels, for C and HLSL. */
#ifndef TALLY_ARGS_H
#define TALLY_ARGS_H

#include "xb/abi.h"

struct tally_args {
  xb_u32 count; /* pairs */
  xb_u32 bins;  /* a power of two */
  xb_u32 each;  /* pairs per thread */
  xb_u32 both;  /* write the second output, too */
};

#endif
