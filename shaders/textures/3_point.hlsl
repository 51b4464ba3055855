// Textures 3: texels of an image, through a sampler. The rows below use it with other samplers.
// Source: NVIDIA, Optimizing CUDA, slide 'Two CUDA Texture Types': arrays.
#include "textures_args.h"

[[vk::binding(0, 0)]] Texture2D<float> g_image : register(t0);
[[vk::binding(0, 0)]] SamplerState g_sampler : register(s0); // CUDA: in the texture object
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

  // [sum] the sampler knows what is beyond the sides. The middle of a texel is at its number and a half
  T sum = 0;
  for (uint k = 0; k < TEXTURES_BOX; k++) {
    const uint column = x + k % 2, row = y + k / 2;
    const float part = args.blends ? (column * 37 + row * 101 & 1023) / 1024.0f : 0.5f;
    const float u = ((float)column - TEXTURES_MARGIN + part) * args.scale_x;
    const float v = ((float)row - TEXTURES_MARGIN + part) * args.scale_y;
    sum += g_image.SampleLevel(g_sampler, float2(u, v), 0); // Sample needs derivatives, which compute shaders lack
  }
  g_odata[t] = sum;
}
