#include "args.h"

extern "C" __global__ void __launch_bounds__(64) test(unsigned *output, index_args args)
{
  const unsigned i = XB_GROUP_INDEX(blockIdx, args.grid_x) * 64 + threadIdx.x;
  if (i < args.count)
    output[args.first + i] = i * args.mul + args.add;
}
