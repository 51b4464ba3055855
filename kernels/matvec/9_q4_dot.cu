// Matrix-vector product 9: q4_0, four products an instruction.
// The quantize kernel ran before: x is bytes, too. Weights are taken as 0 to 15: 8 times the sum of x goes off at the
// end.
// Source: ours; none of the documents has it.
#include "matvec_args.h"
#include "entry.cuh"

#define ROWS MATVEC_ROWS
#include "sums.cuh"

template <uint BATCH, uint BLOCK>
__device__ __forceinline__ void matvec(const uint4 *__restrict__ g_weights, const uint *__restrict__ g_scales,
                                       const uint4 *__restrict__ g_quants, const float2 *__restrict__ g_steps,
                                       float *g_y, xb_matvec_args args)
{
  __shared__ float sdata[ROWS][BLOCK / 32]; // a slot a warp
  const uint tid = threadIdx.x;
  const uint first = XB_GROUP_INDEX(blockIdx, args.grid_x) * ROWS; // grid_x is gridDim.x, which HLSL lacks

  // [rows] the first block of each; rows past the end repeat the last one, and are not written
  uint row[ROWS];
  float sum[MATVEC_BATCH][ROWS];
  UNROLL for (uint r = 0; r < ROWS; r++)
  {
    row[r] = min(first + r, args.rows - 1) * args.blocks;
    UNROLL for (uint b = 0; b < MATVEC_BATCH; b++) sum[b][r] = 0;
  }

  // [add] a block a load, four products an instruction
#define DOT_OPERATIONS(b)                                                                                              \
  {                                                                                                                    \
    const uint4 q0 = g_quants[2 * (args.blocks * b + u)], q1 = g_quants[2 * (args.blocks * b + u) + 1];                \
    const float2 step = g_steps[args.blocks * b + u];                                                                  \
    UNROLL for (uint r = 0; r < ROWS; r++)                                                                             \
    {                                                                                                                  \
      int total = 0;                                                                                                   \
      total = DOT4(w[r].x & 0x0F0F0F0Fu, q0.x, total);                                                                 \
      total = DOT4(w[r].x >> 4 & 0x0F0F0F0Fu, q0.y, total);                                                            \
      total = DOT4(w[r].y & 0x0F0F0F0Fu, q0.z, total);                                                                 \
      total = DOT4(w[r].y >> 4 & 0x0F0F0F0Fu, q0.w, total);                                                            \
      total = DOT4(w[r].z & 0x0F0F0F0Fu, q1.x, total);                                                                 \
      total = DOT4(w[r].z >> 4 & 0x0F0F0F0Fu, q1.y, total);                                                            \
      total = DOT4(w[r].w & 0x0F0F0F0Fu, q1.z, total);                                                                 \
      total = DOT4(w[r].w >> 4 & 0x0F0F0F0Fu, q1.w, total);                                                            \
      sum[b][r] += scale[r] * (TO_FLOAT(total) * step.x - 8.0f * step.y);                                              \
    }                                                                                                                  \
  }
  for (uint u = tid; u < args.blocks; u += BLOCK) {
    uint4 w[ROWS];
    float scale[ROWS];
    UNROLL for (uint r = 0; r < ROWS; r++)
    {
      const uint k = row[r] + u;
      w[r] = g_weights[row[r] + u];
      scale[r] = SCALE_OF(g_scales[k / 2], k);
    }
    FOR_BATCH(DOT_OPERATIONS)
  }

  // [write] a sum a row and vector
  FOR_BATCH(WRITE_OF_GROUP)
}

#define PARAMETERS                                                                                                     \
  (const uint4 *__restrict__ g_weights, const uint *__restrict__ g_scales, const uint4 *__restrict__ g_quants,         \
   const float2 *__restrict__ g_steps, float *g_y, xb_matvec_args args)
#define ENTRY(batch)                                                                                                   \
  XB_KERNEL void matvec_##batch PARAMETERS                                                                             \
  {                                                                                                                    \
    matvec<batch, BLOCK>(g_weights, g_scales, g_quants, g_steps, g_y, args);                                           \
  }                                                                                                                    \
  XB_ENTRIES(matvec_##batch, PARAMETERS, (g_weights, g_scales, g_quants, g_steps, g_y, args))
ENTRY(1)
ENTRY(2)
ENTRY(4)
ENTRY(8)
