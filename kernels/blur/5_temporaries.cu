// Blur 5: a thread has four pixels next to each other. It reads each word once, to temporaries, and adds and
// subtracts what the next pixel has more and less.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), slide 'TGSM Performance'.
#include "blur_args.h"
#include "entry.cuh"

// Where a word of the tile is: threads that read each fourth word read different banks.
#define PLACE(t) ((t) + (t) / BLUR_BANKS)
#define TILE (BLOCK * BLUR_PIXELS + BLUR_TAPS)

// HLSL subtracts vectors by component.
__device__ __forceinline__ void operator-=(uint4 &a, uint4 b)
{
  a = make_uint4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}

XB_KERNEL void blur(const uint *__restrict__ g_idata, uint *g_odata, xb_blur_args args)
{
  __shared__ uint tile[PLACE(TILE) + 1];

  const uint tid = threadIdx.x, group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint first = group * BLOCK * BLUR_PIXELS, i = first + tid * BLUR_PIXELS;

  // [load] the pixels of the group, and those around them
  for (uint t = tid; t < TILE - 1; t += BLOCK)
    tile[PLACE(t)] = g_idata[BLUR_CLAMP(args.lead + first + t - BLUR_BEFORE, args.all - 1)];
  __syncthreads();

  // [sum] of the first pixel's neighbours
  uint words[BLUR_TAPS + BLUR_PIXELS - 1];
  uint4 sum = UINT4(0, 0, 0, 0);
  uint k;
  UNROLL for (k = 0; k < BLUR_TAPS + BLUR_PIXELS - 1; k++)
    words[k] = tile[PLACE(tid * BLUR_PIXELS + k)];
  UNROLL for (k = 0; k < BLUR_TAPS; k++)
    sum += UNPACK(UINT4, words[k]);

  // [write] and go on to the next one
  UNROLL for (k = 0; k < BLUR_PIXELS; k++) {
    if (i + k < args.n)
      g_odata[i + k] = PACK_MEAN(sum);
    if (k + 1 < BLUR_PIXELS) {
      sum += UNPACK(UINT4, words[k + BLUR_TAPS]);
      sum -= UNPACK(UINT4, words[k]);
    }
  }
}

XB_ENTRIES(blur, (const uint *__restrict__ g_idata, uint *g_odata, xb_blur_args args), (g_idata, g_odata, args))
