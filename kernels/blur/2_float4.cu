// Blur 2: the pixels are in shared memory, unpacked: four floats each.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), slide 'TGSM Performance'.
#include "blur_args.h"
#include "entry.cuh"

XB_KERNEL void blur(const uint *__restrict__ g_idata, uint *g_odata, xb_blur_args args)
{
  __shared__ float4 tile[BLOCK + BLUR_TAPS];

  const uint tid = threadIdx.x, group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint first = group * BLOCK, i = first + tid;

  // [load] the pixels of the group, and those around them
  for (uint t = tid; t < BLOCK + BLUR_TAPS - 1; t += BLOCK) {
    const uint word = g_idata[BLUR_CLAMP(args.lead + first + t - BLUR_BEFORE, args.all - 1)];
    tile[t] = UNPACK(FLOAT4, word);
  }
  __syncthreads();

  // [sum] of the neighbours; whole numbers, which float32 holds exactly
  float4 all = FLOAT4(0, 0, 0, 0);
  LOOP for (uint k = 0; k < BLUR_TAPS; k++)
    all += tile[tid + k];
  const uint4 sum = UINT4(all.x, all.y, all.z, all.w);

  // [write]
  if (i < args.n)
    g_odata[i] = PACK_MEAN(sum);
}

XB_ENTRIES(blur, (const uint *__restrict__ g_idata, uint *g_odata, xb_blur_args args), (g_idata, g_odata, args))
