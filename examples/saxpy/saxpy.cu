/* y = a x + y */
#include "saxpy_args.h"

extern "C" __global__ void __launch_bounds__(256) saxpy(const float *__restrict__ x, float *y, saxpy_args args)
{
  const unsigned id = blockIdx.x * 256 + threadIdx.x;
  if (id < args.n)
    y[id] = args.a * x[id] + y[id];
}
