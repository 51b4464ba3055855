// Blur 1: each thread reads the 16 pixels around its own from memory.
// Source: ours; none of the documents has it.
#include "blur_args.h"
#include "entry.cuh"

XB_KERNEL void blur(const uint *__restrict__ g_idata, uint *g_odata, xb_blur_args args)
{
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
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

XB_ENTRIES(blur, (const uint *__restrict__ g_idata, uint *g_odata, xb_blur_args args), (g_idata, g_odata, args))
