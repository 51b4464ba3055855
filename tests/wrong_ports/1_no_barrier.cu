// Wrong port 1: no barrier between dependent dispatches. The mistake is in the host's code (cases.c): a CUDA stream runs
// kernels in order, but branches of a CUDA graph without an edge between them may overlap. Both forms use this kernel.
#include "args.h"

// Each group reads what the last group of the previous dispatch wrote.
extern "C" __global__ void __launch_bounds__(64) port(unsigned *input, unsigned *output, step_args args)
{
  const unsigned id = blockIdx.x * 64 + threadIdx.x;
  if (id < args.count)
    output[id] = input[args.count - 1 - id] * args.mul + args.add;
}
