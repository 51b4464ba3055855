// Overlap: work on the bits of each element of a chunk, for a time that the arguments choose.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.1.2.
#include "overlap_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_overlap_args);

[numthreads(BLOCK, 1, 1)]
void overlap(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  for (uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x; i < args.n; i += args.threads) {
    uint x = g_idata[i];

    // [turns] each needs the one before
    for (uint turn = 0; turn < args.turns; turn++)
      x = x * args.multiplier + args.increment;
    g_odata[i] = x;
  }
}
