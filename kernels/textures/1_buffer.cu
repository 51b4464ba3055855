// Textures 1: texels in a storage buffer; the kernel finds and converts them.
// Source: ours; none of the documents has it.
#include "textures_args.h"
#include <cuda_fp16.h>
#include "entry.cuh"

XB_KERNEL void textures(const uint *__restrict__ g_idata, T *g_odata, xb_textures_args args)
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

  // [sum] the sides are checked here: a buffer has no border
  T sum = 0;
  for (uint k = 0; k < TEXTURES_BOX; k++) {
    const uint column = x + k % 2 - TEXTURES_MARGIN, row = y + k / 2 - TEXTURES_MARGIN; // huge if before the first
    const uint at = row * args.width + column;
    if (column >= args.width || row >= args.height)
      continue;
    if (args.format == 1)
      sum += __uint_as_float(g_idata[at]);
    else if (args.format == 2)
      sum += __half2float(__ushort_as_half(g_idata[at / 2] >> at % 2 * 16 & 0xffff));
    else
      sum += (g_idata[at / 4] >> at % 4 * 8 & 0xff) / 255.0f;
  }
  g_odata[t] = sum;
}

XB_ENTRIES(textures, (const uint *__restrict__ g_idata, T *g_odata, xb_textures_args args), (g_idata, g_odata, args))
