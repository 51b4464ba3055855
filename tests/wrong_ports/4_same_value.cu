// Wrong port 4: several threads store the same value to one word of shared memory. That is a race, even with equal values:
// it is undefined in C++, and a compiler may assume that there is none.
#include "args.h"

// Does any element of the group reach the limit?
extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output,
                                                      flag_args args)
{
  __shared__ unsigned found;
  const unsigned thread = threadIdx.x;
  if (thread == 0)
    found = 0;
  __syncthreads();
  if (input[blockIdx.x * 64 + thread] >= args.limit) {
#ifdef WRONG
    found = 1;
#else
    atomicOr(&found, 1u); // another way is __syncthreads_or, without a flag
#endif
  }
  __syncthreads();
  if (thread == 0)
    output[blockIdx.x] = found;
}
