/* For the processor alone: nvcc takes no inline variable with external linkage in a program of one part. */
#include "args.h"

inline __constant__ unsigned table[16];

extern "C" __global__ void __launch_bounds__(64) test(unsigned *output)
{
  output[threadIdx.x] = table[threadIdx.x % 16];
}
