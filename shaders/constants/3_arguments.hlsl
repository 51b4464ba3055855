// Constants 3: the table is a part of the arguments.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.6.
#include "constants_args.h"

[[vk::binding(0, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_constants_args);

[numthreads(BLOCK, 1, 1)]
void constants(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint t = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (t >= args.n)
    return;

  // [walk] the low half of a word is the place of the next one, the rest is random
  uint at = t % args.addresses, sum = 0;
  for (uint step = 0; step < args.steps; step++) {
    const uint word = args.table[at / 4][at % 4];
    sum += word;
    at = word & 0xffff;
  }
  g_odata[t] = sum;
}
