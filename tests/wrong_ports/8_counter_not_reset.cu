// Wrong port 8: the counter that finds the last group is not reset. The first dispatch is right; in every later one no
// group is the last. Word 0 of `exchange`: groups that are done; word 1: the sum so far.
#include "args.h"

extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output,
                                                      unsigned *exchange, groups_args args)
{
  __shared__ unsigned sum;
  const unsigned thread = threadIdx.x;
  if (thread == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, input[blockIdx.x * 64 + thread]);
  __syncthreads();
  if (thread != 0)
    return;
  atomicAdd(&exchange[1], sum);
  __threadfence();
  const unsigned before = atomicAdd(&exchange[0], 1u);
  if (before + 1 != args.groups)
    return;
  __threadfence();
  output[0] = exchange[1];
  exchange[1] = 0u;
#ifndef WRONG
  exchange[0] = 0u;
#endif
}
