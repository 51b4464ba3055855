/* What the kernels of the guide's cases begin with. */
#ifndef XB_GUIDE_CUH
#define XB_GUIDE_CUH

#include "guide_args.h"

typedef unsigned int uint;

/* A plain C name, because that is what the driver is asked for. */
#define XB_GUIDE_ENTRY(threads) extern "C" __global__ void __launch_bounds__(threads)

#endif
