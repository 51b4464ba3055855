// Quantizes x, before rows 6, 9 and 12: bytes, and for each block of 32 its step and the sum of what the bytes stand
// for. Eight threads share a block, four elements each.
// Source: ours; none of the documents has it.
#include "matvec_args.h"
#include "entry.cuh"

XB_KERNEL void matvec(const float4 *__restrict__ g_x, uint *g_quants, float2 *g_steps, xb_matvec_args args)
{
  __shared__ float largest[BLOCK];
  __shared__ int sums[BLOCK];
  const uint tid = threadIdx.x;
  const uint i = XB_GROUP_INDEX(blockIdx, args.grid_x) * BLOCK + tid; // grid_x is gridDim.x, which HLSL lacks
  const uint n = MATVEC_BLOCK / 4 * args.blocks * args.batch;
  const uint of_block = tid / (MATVEC_BLOCK / 4) * (MATVEC_BLOCK / 4); // the first of the threads that share a block

  // [largest] of the block, in absolute value
  float4 x = make_float4(0, 0, 0, 0);
  if (i < n)
    x = g_x[i];
  largest[tid] = fmaxf(fmaxf(fabsf(x.x), fabsf(x.y)), fmaxf(fabsf(x.z), fabsf(x.w)));
  __syncthreads();
  float most = 0;
  for (uint t = 0; t < MATVEC_BLOCK / 4; t++)
    most = fmaxf(most, largest[of_block + t]);

  // [quantize] from -127 to 127. The step is a product, because Vulkan's division may be inexact
  const float step = most * (1.0f / 127.0f), inverse = most > 0 ? 127.0f / most : 0;
  const int a = static_cast<int>(rintf(x.x * inverse)), b = static_cast<int>(rintf(x.y * inverse));
  const int c = static_cast<int>(rintf(x.z * inverse)), d = static_cast<int>(rintf(x.w * inverse));
  sums[tid] = a + b + c + d;
  __syncthreads();

  // [write]
  if (i < n) {
    g_quants[i] = (static_cast<uint>(a) & 255u) | (static_cast<uint>(b) & 255u) << 8 |
                  (static_cast<uint>(c) & 255u) << 16 | static_cast<uint>(d) << 24;
    if (tid == of_block) {
      int sum = 0;
      for (uint t = 0; t < MATVEC_BLOCK / 4; t++)
        sum += sums[tid + t];
      g_steps[i / (MATVEC_BLOCK / 4)] = make_float2(step, step * TO_FLOAT(sum));
    }
  }
}

XB_ENTRIES(matvec, (const float4 *__restrict__ g_x, uint *g_quants, float2 *g_steps, xb_matvec_args args),
           (g_x, g_quants, g_steps, args))
