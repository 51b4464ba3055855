#include "args.h"

/* Binding 1 and the arguments are declared and not used: CUDA keeps them. */
extern "C" __global__ void __launch_bounds__(64)
    test(unsigned *output, unsigned *dropped, const unsigned *__restrict__ input, step_args args)
{
  output[threadIdx.x] = input[threadIdx.x] + 1;
}
