// Matrix-vector product 4: float16, several rows a wave, 16-byte loads.
// What is read of x serves several rows.
// Source: ours; none of the documents has it.
#include "matvec_args.h"
#include "entry.cuh"

#define ROWS MATVEC_ROWS
#include "sums.cuh"

template <uint BATCH, uint BLOCK>
__device__ __forceinline__ void matvec(const uint4 *__restrict__ g_weights, const float4 *__restrict__ g_x, float *g_y,
                                       xb_matvec_args args)
{
  const uint lanes = 32, wave = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x); // grid_x is gridDim.x, which HLSL lacks
  const uint first = (group * (BLOCK / lanes) + wave) * ROWS;

  // [rows] the first block of each; rows past the end repeat the last one, and are not written
  uint row[ROWS];
  float sum[MATVEC_BATCH][ROWS];
  UNROLL for (uint r = 0; r < ROWS; r++)
  {
    row[r] = min(first + r, args.rows - 1) * args.blocks;
    UNROLL for (uint b = 0; b < MATVEC_BATCH; b++) sum[b][r] = 0;
  }

  // [add] eight weights a load
#define ADD(b)                                                                                                         \
  {                                                                                                                    \
    const uint at = 2 * (4 * args.blocks * b + u);                                                                     \
    const float4 x0 = g_x[at], x1 = g_x[at + 1];                                                                       \
    UNROLL for (uint r = 0; r < ROWS; r++) sum[b][r] += dot(low[r], x0) + dot(high[r], x1);                            \
  }
  for (uint u = lane; u < 4 * args.blocks; u += lanes) {
    float4 low[ROWS], high[ROWS];
    UNROLL for (uint r = 0; r < ROWS; r++)
    {
      const uint4 w = g_weights[4 * row[r] + u];
      low[r] = HALVES_OF(w.x, w.y);
      high[r] = HALVES_OF(w.z, w.w);
    }
    FOR_BATCH(ADD)
  }

  // [write] a sum a row and vector
  FOR_BATCH(WRITE_OF_WAVE)
}

#define PARAMETERS                                                                                                     \
  (const uint4 *__restrict__ g_weights, const float4 *__restrict__ g_x, float *g_y, xb_matvec_args args)
#define ENTRY(batch)                                                                                                   \
  XB_KERNEL void matvec_##batch PARAMETERS                                                                             \
  {                                                                                                                    \
    matvec<batch, BLOCK>(g_weights, g_x, g_y, args);                                                                   \
  }                                                                                                                    \
  XB_ENTRIES(matvec_##batch, PARAMETERS, (g_weights, g_x, g_y, args))
ENTRY(1)
ENTRY(2)
ENTRY(4)
ENTRY(8)
