// Wrong port 4: several threads store to one word of shared memory, all of them the same value. It is a race whatever the
// value is: undefined in C++, and a compiler may rely on its absence.
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
    atomicOr(&found, 1u); // or no flag at all: __syncthreads_or
#endif
  }
  __syncthreads();
  if (thread == 0)
    output[blockIdx.x] = found;
}
