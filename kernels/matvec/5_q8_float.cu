// Matrix-vector product 5: q8_0, the bytes become floats.
// Half a block a load.
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

  // [add] sixteen weights a load, four a word
#define ADD(b)                                                                                                         \
  {                                                                                                                    \
    const float4 x = g_x[8 * args.blocks * b + at];                                                                    \
    UNROLL for (uint r = 0; r < ROWS; r++) part[b][r] += dot(v[r], x);                                                 \
  }
#define WORD(c, i)                                                                                                     \
  {                                                                                                                    \
    const uint at = 4 * u + i;                                                                                         \
    float4 v[ROWS];                                                                                                    \
    UNROLL for (uint r = 0; r < ROWS; r++) v[r] = BYTES_OF(w[r].c);                                                    \
    FOR_BATCH(ADD)                                                                                                     \
  }
#define ADD_SCALED(b) UNROLL for (uint r = 0; r < ROWS; r++) sum[b][r] += scale[r] * part[b][r];
  for (uint u = tid; u < 2 * args.blocks; u += BLOCK) {
    uint4 w[ROWS];
    float scale[ROWS];
    UNROLL for (uint r = 0; r < ROWS; r++)
    {
      const uint k = row[r] + u / 2;
      w[r] = g_weights[2 * row[r] + u];
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
