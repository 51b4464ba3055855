#include "args.h"

/* Each thread writes its position in a group of three dimensions. */
extern "C" __global__ void __launch_bounds__(24) test(unsigned *output, where_args args)
{
  const uint3 group = blockIdx, thread = threadIdx;
  const unsigned g = (group.z * args.groups_y + group.y) * args.groups_x + group.x;
  const unsigned t = (thread.z * 2 + thread.y) * 4 + thread.x;
  output[g * 24 + t] = group.x | group.y << 6 | group.z << 12 | thread.x << 18 | thread.y << 22 | thread.z << 26;
}
