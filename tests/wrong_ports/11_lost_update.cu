// Wrong port 11: a counter that many threads read, increment and store. Each of two that read the same value stores the
// same sum: one of the two increments is lost.
#include "args.h"

// How many elements of the group reach the limit?
extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output,
                                                      flag_args args)
{
  __shared__ unsigned count;
  const unsigned thread = threadIdx.x;
  if (thread == 0)
    count = 0;
  __syncthreads();
  if (input[blockIdx.x * 64 + thread] >= args.limit) {
#ifdef WRONG
    count = count + 1;
#else
    atomicAdd(&count, 1u);
#endif
  }
  __syncthreads();
  if (thread == 0)
    output[blockIdx.x] = count;
}
