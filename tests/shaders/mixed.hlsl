#include "args.h"

XB_ARGS(mixed_args);
[[vk::binding(0, 0)]] RWStructuredBuffer<uint> output : register(u0);

[numthreads(1, 1, 1)]
void main()
{
  output[0] = args.a;
  output[1] = asuint(args.b);
  output[2] = asuint(args.c);
  output[3] = args.d;
  output[4] = asuint(args.e);
  output[5] = asuint(args.f);
  output[6] = args.g;
  output[7] = asuint(args.h);
  output[8] = asuint(args.i);
}
