#include "args.h"

extern "C" __global__ void __launch_bounds__(64) test(unsigned *output, long_args args)
{
  const unsigned id = blockIdx.x * 64 + threadIdx.x;
  unsigned x = id;
  for (unsigned i = 0; i < args.iterations; i++)
    x = x * 1664525u + 1013904223u;
  output[id] = x;
}
