// Wrong port 6: the last group has threads beyond the end of the data.
#include "args.h"

extern "C" __global__ void __launch_bounds__(64) port(const unsigned *__restrict__ input, unsigned *output,
                                                      add_args args)
{
  const unsigned id = blockIdx.x * 64 + threadIdx.x;
#ifndef WRONG
  if (id < args.count)
#endif
    output[id] = input[id] + args.add;
}
