#include "args.h"

extern "C" __global__ void __launch_bounds__(64) test(unsigned *counters, count_args args)
{
  atomicAdd(&counters[args.slot], 1u);
}
