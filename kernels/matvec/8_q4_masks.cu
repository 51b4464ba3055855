// Matrix-vector product 8: q4_0, decoded by masks.
// No branch and no conversion: the bits become a float's fraction.
// Source: ours; none of the documents has it.
#include "matvec_args.h"
#include "entry.cuh"

#define ROWS MATVEC_ROWS
#include "sums.cuh"

template <uint BATCH, uint BLOCK>
__device__ __forceinline__ void matvec(const uint4 *__restrict__ g_weights, const uint *__restrict__ g_scales,
                                       const float4 *__restrict__ g_x, float *g_y, xb_matvec_args args)
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

  // [add] a block a load, eight weights a word
#define ADD(b)                                                                                                         \
  {                                                                                                                    \
    const float4 x0 = g_x[8 * args.blocks * b + at], x1 = g_x[8 * args.blocks * b + at + 1];                           \
    UNROLL for (uint r = 0; r < ROWS; r++) part[b][r] += dot(v0[r], x0) + dot(v1[r], x1);                              \
  }
#define WORD(c, i)                                                                                                     \
  {                                                                                                                    \
    const uint at = 8 * u + 2 * i;                                                                                     \
    float4 v0[ROWS], v1[ROWS];                                                                                         \
    UNROLL for (uint r = 0; r < ROWS; r++)                                                                             \
    {                                                                                                                  \
      v0[r] = NIBBLES_OF(w[r].c, 0);                                                                                   \
      v1[r] = NIBBLES_OF(w[r].c, 4);                                                                                   \
    }                                                                                                                  \
    FOR_BATCH(ADD)                                                                                                     \
  }
#define ADD_SCALED(b) UNROLL for (uint r = 0; r < ROWS; r++) sum[b][r] += scale[r] * part[b][r];
  for (uint u = tid; u < args.blocks; u += BLOCK) {
    uint4 w[ROWS];
    float scale[ROWS];
    UNROLL for (uint r = 0; r < ROWS; r++)
    {
      const uint k = row[r] + u;
      w[r] = g_weights[row[r] + u];
      scale[r] = SCALE_OF(g_scales[k / 2], k);
    }
    float part[MATVEC_BATCH][ROWS];
    UNROLL for (uint b = 0; b < MATVEC_BATCH; b++) UNROLL for (uint r = 0; r < ROWS; r++) part[b][r] = 0;
    FOR_WORDS(WORD)
    FOR_BATCH(ADD_SCALED)
  }

  // [write] a sum a row and vector
  FOR_BATCH(WRITE_OF_GROUP)
}

#define PARAMETERS                                                                                                     \
  (const uint4 *__restrict__ g_weights, const uint *__restrict__ g_scales, const float4 *__restrict__ g_x, float *g_y, \
   xb_matvec_args args)
#define ENTRY(batch)                                                                                                   \
  XB_KERNEL void matvec_##batch PARAMETERS                                                                             \
  {                                                                                                                    \
    matvec<batch, BLOCK>(g_weights, g_scales, g_x, g_y, args);                                                         \
  }                                                                                                                    \
  XB_ENTRIES(matvec_##batch, PARAMETERS, (g_weights, g_scales, g_x, g_y, args))
ENTRY(1)
ENTRY(2)
ENTRY(4)
ENTRY(8)
