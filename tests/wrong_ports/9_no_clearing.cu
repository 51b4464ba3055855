// Wrong port 9: a histogram that is not cleared. Fresh memory is often zero, so the first run is right; every later one
// counts on from the one before. Each group has a histogram of its own in `exchange`.
#include "args.h"

extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output,
                                                      unsigned *exchange)
{
  const unsigned thread = threadIdx.x, first = blockIdx.x * 64;
#ifndef WRONG
  exchange[first + thread] = 0;
  __syncthreads();
#endif
  atomicAdd(&exchange[first + input[first + thread] % 64], 1u);
  __syncthreads();
  output[first + thread] = exchange[first + thread];
}
