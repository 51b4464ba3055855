// Blur 5: a thread has four pixels next to each other. It reads each word once, to temporaries, and adds and
// subtracts what the next pixel has more and less.
// Source: Young, DirectCompute Optimizations and Best Practices (GTC 2010), slide 'TGSM Performance'.
#include "blur_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<uint> g_idata : register(t0);
[[vk::binding(1, 0)]] RWStructuredBuffer<uint> g_odata : register(u0);
XB_ARGS(xb_blur_args);

// Where a word of the tile is: threads that read each fourth word read different banks.
#define PLACE(t) ((t) + (t) / BLUR_BANKS)
#define TILE (BLOCK * BLUR_PIXELS + BLUR_TAPS)

groupshared uint tile[PLACE(TILE) + 1];

[numthreads(BLOCK, 1, 1)]
void blur(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x, group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  const uint first = group * BLOCK * BLUR_PIXELS, i = first + tid * BLUR_PIXELS;

  // [load] the pixels of the group, and those around them
  for (uint t = tid; t < TILE - 1; t += BLOCK)
    tile[PLACE(t)] = g_idata[BLUR_CLAMP(args.lead + first + t - BLUR_BEFORE, args.all - 1)];
  GroupMemoryBarrierWithGroupSync();

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
