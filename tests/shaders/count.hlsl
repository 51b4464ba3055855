#include "args.h"

XB_ARGS(count_args);
[[vk::binding(0, 0)]] RWByteAddressBuffer counters : register(u0);

[numthreads(64, 1, 1)]
void main()
{
  counters.InterlockedAdd(args.slot * 4, 1u);
}
