// Matrix-vector product 7: q4_0, decoded by branches.
// One weight after the other: a branch chooses its half of the byte, and another one leaves out zeros.
// Source: ours; none of the documents has it.
#include "matvec_args.h"
#include "entry.cuh"

#define ROWS MATVEC_ROWS
#include "sums.cuh"

template <uint BATCH, uint BLOCK>
__device__ __forceinline__ void matvec(const uint4 *__restrict__ g_weights, const uint *__restrict__ g_scales,
                                       const float *__restrict__ g_x, float *g_y, xb_matvec_args args)
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

  // [add] a block a load, one weight at a time
#define ADD(b) part[b][r] += weight * g_x[MATVEC_BLOCK * args.blocks * b + at];
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
    UNROLL for (uint r = 0; r < ROWS; r++)
    {
      LOOP for (uint j = 0; j < MATVEC_BLOCK; j++)
      {
        const uint at = MATVEC_BLOCK * u + j;
        const uint word = j < 16 ? (j < 8 ? w[r].x : w[r].y) : (j < 24 ? w[r].z : w[r].w);
        uint bits;
        if (j % 8 < 4)
          bits = word >> 8 * (j % 4) & 15u;
        else
          bits = word >> (8 * (j % 4) + 4) & 15u;
        if (bits != 8) {
          const float weight = TO_FLOAT(bits) - 8.0f;
          FOR_BATCH(ADD)
        }
      }
    }
    FOR_BATCH(ADD_SCALED)
  }

  // [write] a sum a row and vector
  FOR_BATCH(WRITE_OF_GROUP)
}

#define PARAMETERS                                                                                                     \
  (const uint4 *__restrict__ g_weights, const uint *__restrict__ g_scales, const float *__restrict__ g_x, float *g_y,  \
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
