// Blur 1: each thread reads the 16 pixels around its own from memory.
// Source: ours; none of the documents has it.
#include "blur_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_blur_args);

[numthreads(BLOCK, 1, 1)]
void blur(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint i = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (i >= args.n) // a folded grid has groups too many at its end
    return;

  // [sum] of the neighbours, byte by byte
  uint4 sum = UINT4(0, 0, 0, 0);
  LOOP for (uint k = 0; k < BLUR_TAPS; k++) {
    const uint word = g_idata[BLUR_CLAMP(args.lead + i + k - BLUR_BEFORE, args.all - 1)];
    sum += UNPACK(UINT4, word);
  }

  // [write]
  g_odata[i] = PACK_MEAN(sum);
}
