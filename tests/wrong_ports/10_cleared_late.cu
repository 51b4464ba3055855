// Wrong port 10: no barrier between the clearing of a histogram in shared memory and the counting. A thread that is late
// clears what another one has counted.
#include "args.h"

extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output)
{
  __shared__ unsigned counters[64];
  const unsigned thread = threadIdx.x, first = blockIdx.x * 64;
  counters[thread] = 0;
#ifndef WRONG
  __syncthreads();
#endif
  atomicAdd(&counters[input[first + thread] % 64], 1u);
  __syncthreads();
  output[first + thread] = counters[thread];
}
