/* Included by the kernels of the guide's cases. */
#ifndef XB_GUIDE_CUH
#define XB_GUIDE_CUH

#include "guide_args.h"

typedef unsigned int uint;

/* extern "C", because the driver finds an entry point by its plain name. */
#define XB_GUIDE_ENTRY(threads) extern "C" __global__ void __launch_bounds__(threads)

#endif
