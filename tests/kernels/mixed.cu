#include "args.h"

extern "C" __global__ void __launch_bounds__(1) test(unsigned *output, mixed_args args)
{
  output[0] = args.a;
  output[1] = (unsigned)args.b;
  output[2] = __float_as_uint(args.c);
  output[3] = args.d;
  output[4] = __float_as_uint(args.e);
  output[5] = (unsigned)args.f;
  output[6] = args.g;
  output[7] = __float_as_uint(args.h);
  output[8] = (unsigned)args.i;
}
