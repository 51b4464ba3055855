// Textures 2: texels in a texel buffer, which converts them.
// Source: NVIDIA, Optimizing CUDA, slide 'Two CUDA Texture Types': linear memory.
#include "textures_args.h"

[[vk::binding(0, 0)]] Buffer<float> g_idata : register(t0); // the format is in the view
[[vk::binding(1, 0)]] RWStructuredBuffer<T> g_odata : register(u0);
XB_ARGS(xb_textures_args);

[numthreads(BLOCK, 1, 1)]
void textures(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint t = XB_GROUP_INDEX(groupIdx, args.grid_x) * BLOCK + threadIdx.x;
  if (t >= args.count)
    return;

  // [place] by rows, by columns, by tiles of 8 x 4, or by blocks of 32 x 32 whose bits are taken apart
  const uint i = args.first + t;
  uint x = i % args.across, y = i / args.across;
  if (args.order == 1) {
    x = i / args.down;
    y = i % args.down;
  } else if (args.order == 2) {
    x = i / 32 % (args.across / 8) * 8 + i % 8;
    y = i / 32 / (args.across / 8) * 4 + i % 32 / 8;
  } else if (args.order == 3) {
    uint even = i & 0x155, odd = i >> 1 & 0x155;
    even = (even | even >> 1) & 0x333;
    odd = (odd | odd >> 1) & 0x333;
    even = (even | even >> 2) & 0x10F;
    odd = (odd | odd >> 2) & 0x10F;
    x = i / 1024 % (args.across / 32) * 32 + ((even | even >> 4) & 0x1F);
    y = i / 1024 / (args.across / 32) * 32 + ((odd | odd >> 4) & 0x1F);
  }

  // [sum] the sides are checked here: a buffer has no border
  T sum = 0;
  for (uint k = 0; k < TEXTURES_BOX; k++) {
    const uint column = x + k % 2 - TEXTURES_MARGIN, row = y + k / 2 - TEXTURES_MARGIN; // huge if before the first
    const uint at = row * args.width + column;
    if (column >= args.width || row >= args.height)
      continue;
    sum += g_idata[at];
  }
  g_odata[t] = sum;
}
