// Textures 10: texels of an image with one dimension, the first row, which all rows of places read. Row 11 blends them.
// Source: NVIDIA, Optimizing CUDA, slide 'Two CUDA Texture Types': arrays.
#include "textures_args.h"
#include "entry.cuh"

XB_KERNEL void textures(cudaTextureObject_t g_image, T *g_odata, xb_textures_args args)
{
  const uint t = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + threadIdx.x; // grid_x is gridDim.x, which HLSL lacks
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

  // [sum] the sampler knows what is beyond the ends. The middle of a texel is at its number and a half
  T sum = 0;
  for (uint k = 0; k < TEXTURES_BOX; k++) {
    const uint column = x + k;
    const float part = args.blends ? (column * 37 + y * 101 & 1023) / 1024.0f : 0.5f;
    const float u = ((float)column - TEXTURES_MARGIN + part) * args.scale_x;
    sum += tex1D<float>(g_image, u);
  }
  g_odata[t] = sum;
}

XB_ENTRIES(textures, (cudaTextureObject_t g_image, T *g_odata, xb_textures_args args), (g_image, g_odata, args))
