// Matrix-vector product 1: float16, a row a group, 4-byte loads.
// The plain port: a word has two weights.
// Source: ours; none of the documents has it.
#include "matvec_args.h"
#include "entry.cuh"

#define ROWS 1
#include "sums.cuh"

template <uint BATCH, uint BLOCK>
__device__ __forceinline__ void matvec(const uint *__restrict__ g_weights, const float2 *__restrict__ g_x, float *g_y,
                                       xb_matvec_args args)
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

  // [add] two weights a load
#define ADD(b)                                                                                                         \
  {                                                                                                                    \
    const float2 x = g_x[16 * args.blocks * b + u];                                                                    \
    UNROLL for (uint r = 0; r < ROWS; r++) sum[b][r] += low[r] * x.x + high[r] * x.y;                                  \
  }
  for (uint u = tid; u < 16 * args.blocks; u += BLOCK) {
    float low[ROWS], high[ROWS];
    UNROLL for (uint r = 0; r < ROWS; r++)
    {
      const uint w = g_weights[16 * row[r] + u];
      low[r] = HALF(w);
      high[r] = HALF(w >> 16);
    }
    FOR_BATCH(ADD)
  }

  // [write] a sum a row and vector
  FOR_BATCH(WRITE_OF_GROUP)
}

#define PARAMETERS (const uint *__restrict__ g_weights, const float2 *__restrict__ g_x, float *g_y, xb_matvec_args args)
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
