// Blur 4: as rung 3, but the loop over the neighbours is unrolled.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), slide 'TGSM Performance'.
#include "blur_args.h"
#include "entry.cuh"

XB_KERNEL void blur(const uint *__restrict__ g_idata, uint *g_odata, xb_blur_args args)
{
  __shared__ uint tile[BLOCK + BLUR_TAPS];

  const uint tid = threadIdx.x, group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint first = group * BLOCK, i = first + tid;

  // [load] the pixels of the group, and those around them
  for (uint t = tid; t < BLOCK + BLUR_TAPS - 1; t += BLOCK) {
    tile[t] = g_idata[BLUR_CLAMP(args.lead + first + t - BLUR_BEFORE, args.all - 1)];
  }
  __syncthreads();

  // [sum] of the neighbours: all reads are known before the first sum
  uint4 sum = UINT4(0, 0, 0, 0);
  UNROLL for (uint k = 0; k < BLUR_TAPS; k++) {
    const uint word = tile[tid + k];
    sum += UNPACK(UINT4, word);
  }

  // [write]
  if (i < args.n)
    g_odata[i] = PACK_MEAN(sum);
}

XB_ENTRIES(blur, (const uint *__restrict__ g_idata, uint *g_odata, xb_blur_args args), (g_idata, g_odata, args))
