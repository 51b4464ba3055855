#include "args.h"

extern "C" __global__ void __launch_bounds__(64) test(const unsigned *__restrict__ input, unsigned *output,
                                                      step_args args)
{
  const unsigned id = blockIdx.x * 64 + threadIdx.x;
  if (id < args.count)
    output[id] = input[id] * args.mul + args.add;
}
